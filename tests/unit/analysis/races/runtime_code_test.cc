// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/runtime_code.h"

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

RangeSet set_of(std::initializer_list<AddrRange> ranges) {
  RangeSet set;
  for (const AddrRange& r : ranges) set.add(r);
  set.sort();
  return set;
}

std::vector<AddrRange> ranges_of(const RangeSet& set) {
  std::vector<AddrRange> ranges;
  set.common(AddrRange{0, ~uint64_t{0}}, [&](const AddrRange& r) { ranges.push_back(r); });
  return ranges;
}

}  // namespace

TEST_CASE("a set of addresses without another") {
  const RangeSet set = set_of({{10, 20}, {30, 40}, {50, 60}});
  const RangeSet left = set.without(set_of({{0, 12}, {14, 15}, {18, 33}, {50, 60}}));
  CHECK(ranges_of(left) == std::vector<AddrRange>{{12, 14}, {15, 18}, {33, 40}});
  CHECK(ranges_of(set.without({})) == ranges_of(set));
  CHECK(set.hull() == AddrRange{10, 60});
  CHECK(RangeSet().hull().empty());
  CHECK(set.contains_all({32, 40}));
  CHECK(!set.contains_all({32, 41}));
  CHECK(!set.contains_all({20, 22}));
}
