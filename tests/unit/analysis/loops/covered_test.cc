// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/covered.h"

#include <random>
#include <vector>

#include "cdrgrind/analysis/loops/depths.h"
#include "tests/unit/catch.h"

using namespace cdr::loops;

TEST_CASE("what is covered is what a flag for each position says") {
  std::mt19937 gen(1);
  Covered covered;
  for (int round = 0; round < 200; ++round) {
    const uint32_t size = 1 + gen() % 300;
    std::vector<bool> flags(size);
    covered.clear(size);
    for (int i = 0; i < 4; ++i) {
      const uint32_t begin = gen() % size, end = begin + gen() % (size - begin + 1);
      covered.cover(begin, end);
      std::fill(flags.begin() + begin, flags.begin() + end, true);
    }
    const uint32_t begin = gen() % size, end = begin + gen() % (size - begin + 1);
    uint32_t free = begin, taken = begin, last = end;
    while (free < end && flags[free]) ++free;
    while (taken < end && !flags[taken]) ++taken;
    while (last > begin && flags[last - 1]) --last;
    REQUIRE(covered.next_free(begin, end) == free);
    REQUIRE(covered.next_covered(begin, end) == taken);
    REQUIRE(covered.last_free(begin, end) == last);
  }
}

TEST_CASE("depths are those that were given, less the first, from any position on") {
  std::mt19937 gen(1);
  std::vector<uint16_t> given;
  Depths depths;
  CHECK(depths.empty());
  for (int i = 0; i < 2000; ++i) {
    const int32_t before = given.empty() ? 0 : given.back();
    const int32_t next =
        gen() % 50 == 0 ? static_cast<int32_t>(gen() % 65536) : before + static_cast<int32_t>(gen() % 257) - 128;
    given.push_back(static_cast<uint16_t>(std::clamp(next, 0, 65535)));
    depths.push_back(given.back());
  }
  for (size_t begin = 0; begin < given.size(); begin += 7)
    depths.for_each(begin, std::min<size_t>(begin + 50, given.size()),
                    [&](size_t at, int32_t depth) { REQUIRE(depth == int32_t{given[at]} - given[begin]); });
}
