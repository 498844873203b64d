// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/phase_sharing.h"

#include <algorithm>
#include <set>
#include <vector>

#include "tests/unit/properties.h"

namespace cdr::races {
namespace {

TEST_CASE("memory that two actors of a phase touch is shared if one stores") {
  PhaseSharing s;
  s.touch({2, 1}, 100, 4, true);
  CHECK_FALSE(s.shared(100, 4, 0));
  s.touch({2, 1}, 100, 4, true);
  CHECK_FALSE(s.shared(100, 4, 0));
  s.touch({3, 1}, 100, 4, false);
  CHECK(s.shared(100, 4, 0));
  CHECK(s.shared(98, 4, 0));
  CHECK_FALSE(s.shared(104, 4, 0));
}

TEST_CASE("reads alone share nothing") {
  PhaseSharing s;
  s.touch({2, 1}, 100, 8, false);
  s.touch({3, 1}, 100, 8, false);
  CHECK_FALSE(s.shared(100, 8, 0));
  s.touch({2, 1}, 104, 1, true);
  CHECK(s.shared(104, 4, 0));
  CHECK_FALSE(s.shared(100, 4, 0));
}

TEST_CASE("words of an access are alike as far as they are all shared, or none") {
  rc::prop("pieces of an access are those of its words", [] {
    PhaseSharing s;
    const auto shared = *rc::gen::container<std::set<uint64_t>>(rc::gen::inRange<uint64_t>(1020, 1040));
    for (const uint64_t word : shared) {
      s.touch({2, 1}, word * 4, 4, true);
      s.touch({3, 1}, word * 4, 4, true);
    }
    const uint64_t addr = *rc::gen::inRange<uint64_t>(1018 * 4, 1040 * 4), width = *rc::gen::inRange<uint64_t>(1, 48);
    uint64_t alike = 0;
    while (alike < width && shared.count((addr + alike) / 4) == shared.count(addr / 4)) ++alike;
    RC_ASSERT(s.alike(addr, width, 0) == alike);
  });
}

TEST_CASE("what was touched before a phase does not count in it") {
  PhaseSharing s;
  s.touch({2, 1}, 100, 4, true);
  s.touch({4, 3}, 100, 4, true);
  CHECK_FALSE(s.shared(100, 4, 0));
  s.touch({5, 3}, 100, 4, false);
  CHECK(s.shared(100, 4, 0));
  s.touch({9, 8}, 100, 4, false);
  CHECK(s.shared(100, 4, 0));
}

TEST_CASE("what was shared in a block's life is not in that of another one at its place") {
  rc::prop("each block has what was touched while it was there", [] {
    struct Block {
      AddrRange range;
      uint64_t begun = 0;
      std::set<uint64_t> shared;  // words
    };
    PhaseSharing s;
    s.touch({1, 1}, 0, 4096, false);  // of memory that nobody has touched yet nothing is asked
    std::vector<Block> blocks = {{{0, 4096}, 0, {}}};
    const auto at = [&](uint64_t addr) {
      return std::find_if(blocks.rbegin(), blocks.rend(), [addr](const Block& b) { return b.range.contains(addr); });
    };
    uint32_t actor = 1;
    for (uint64_t event = 1; event < 60; ++event) {
      const uint64_t word = *rc::gen::inRange<uint64_t>(240, 272), words = *rc::gen::inRange<uint64_t>(1, 12);
      if (*rc::gen::inRange(0, 3) == 0) {
        blocks.push_back({{word * 4, (word + words) * 4}, event, {}});
        s.begin(blocks.back().range, event);
      } else {
        for (int i = 0; i < 2; ++i) s.touch({actor += 1, 1}, word * 4, words * 4, true);
        for (uint64_t w = word; w < word + words; ++w) at(w * 4)->shared.insert(w);
      }
    }
    for (const Block& b : blocks)
      for (uint64_t word = 230; word < 290; ++word) {
        if (!b.range.contains(word * 4)) continue;
        RC_ASSERT(s.shared(word * 4, 4, b.begun) == (b.shared.count(word) != 0));
        if (b.shared.count(word)) RC_ASSERT(s.ever_shared(word * 4, 1));
      }
    std::vector<AddrRange> all;
    s.append_shared(all);
    for (uint64_t word = 230; word < 290; ++word)
      RC_ASSERT(std::any_of(all.begin(), all.end(), [&](const AddrRange& r) { return r.contains(word * 4); }) ==
                std::any_of(blocks.begin(), blocks.end(), [&](const Block& b) { return b.shared.count(word) != 0; }));
  });
}

}  // namespace
}  // namespace cdr::races
