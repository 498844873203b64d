// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/patterns/footprint.h"

#include <rapidcheck.h>

#include <set>

#include "tests/unit/catch.h"

namespace cdr::patterns {
namespace {

TEST_CASE("a footprint has the bytes of all progressions, each once") {
  const auto holds = [] {
    Footprint f;
    std::set<uint64_t> bytes, lines;
    const auto rounds = *rc::gen::inRange(1, 8);
    for (int i = 0; i < rounds; ++i) {
      const auto base = *rc::gen::inRange<uint64_t>(100'000, 120'000);
      const auto stride = *rc::gen::inRange<int64_t>(-300, 300);
      const auto count = *rc::gen::inRange<uint64_t>(0, 50);
      const auto width = *rc::gen::inRange<uint64_t>(1, 70);
      f.add(base, stride, count, width);
      for (uint64_t k = 0; k < count; ++k)
        for (uint64_t b = 0; b < width; ++b) {
          bytes.insert(base + static_cast<uint64_t>(stride) * k + b);
          lines.insert((base + static_cast<uint64_t>(stride) * k + b) / 64);
        }
    }
    RC_ASSERT(f.bytes() == bytes.size());
    RC_ASSERT(f.lines() == lines.size());
    Footprint sum;
    sum.add(4096, 1);
    sum.add(f);
    RC_ASSERT(sum.bytes() == bytes.size() + 1);
  };
  CHECK(rc::check(holds));
}

TEST_CASE("long accesses go over pages") {
  Footprint f;
  f.add(4000, 10'000);
  CHECK(f.bytes() == 10'000);
  CHECK(f.lines() == 14'000 / 64 + 1 - 4000 / 64);
}

}  // namespace
}  // namespace cdr::patterns
