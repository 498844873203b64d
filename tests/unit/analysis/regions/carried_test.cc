// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/carried.h"

#include <rapidcheck.h>

#include <utility>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr::regions {
namespace {

using Counted = std::vector<std::pair<uint64_t, uint64_t>>;  // distance, times

Distances of(const Counted& all) {
  Distances d;
  for (const auto& [distance, times] : all) d.add(distance, times);
  return d;
}

TEST_CASE("distances are counted by powers of two") {
  Distances d = of({{1, 1}, {2, 10}, {3, 100}, {4, 100}, {5, 1000}});
  CHECK(d.counts()[0] == 1);
  CHECK(d.counts()[1] == 10);
  CHECK(d.counts()[2] == 200);
  CHECK(d.counts()[3] == 1000);
  d.add(uint64_t{1} << 40);
  CHECK(d.counts().back() == 1);
  CHECK(d.least == 1);
  CHECK(d.greatest == uint64_t{1} << 40);
  CHECK(Distances().counts() == std::array<uint64_t, Distances::kBuckets>{});
}

TEST_CASE("distances that are put together are those of both") {
  const auto holds = [] {
    const auto some = [] {
      Counted all;
      const auto count = *rc::gen::inRange(0, 4);
      for (int i = 0; i < count; ++i)
        all.emplace_back(*rc::gen::inRange<uint64_t>(1, 20), *rc::gen::inRange<uint64_t>(1, 5));
      return all;
    };
    Counted a = some();
    const Counted b = some();
    Distances put = of(a);
    put.add(of(b));
    a.insert(a.end(), b.begin(), b.end());
    const Distances all = of(a);
    RC_ASSERT(put.counts() == all.counts());
    RC_ASSERT(put.least == all.least);
    RC_ASSERT(put.greatest == all.greatest);
    uint64_t sum = 0, expected = 0;
    for (const uint64_t n : all.counts()) sum += n;
    for (const auto& [distance, times] : a) expected += times;
    RC_ASSERT(sum == expected);
  };
  CHECK(rc::check(holds));
}

}  // namespace
}  // namespace cdr::regions
