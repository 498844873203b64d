// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/owned_ranges.h"

#include "tests/unit/properties.h"

namespace cdr::races {

namespace {

bool others_in(const std::vector<OwnedRanges::Owned>& all, ThreadId t, AddrRange r) {
  return std::ranges::any_of(all, [&](const OwnedRanges::Owned& o) {
    return o.owner != t && !o.range.empty() && std::max(o.range.begin, r.begin) < std::min(o.range.end, r.end);
  });
}

}  // namespace

TEST_CASE("ranges of others are found behind many of one's own") {
  std::vector<OwnedRanges::Owned> all;
  for (uint64_t i = 0; i < 100; ++i) all.push_back({{i * 100, i * 100 + 50}, ThreadId(1)});
  all.push_back({{20'000, 20'001}, ThreadId(2)});
  const OwnedRanges ranges(all);
  CHECK_FALSE(ranges.others_in(ThreadId(1), {0, 20'000}));
  CHECK(ranges.others_in(ThreadId(1), {0, 20'001}));
  CHECK_FALSE(ranges.others_in(ThreadId(1), {20'001, 30'000}));
  CHECK_FALSE(ranges.others_in(ThreadId(2), {50, 100}));
  CHECK(ranges.others_in(ThreadId(2), {50, 101}));
}

TEST_CASE("who owns a range is what looking at all ranges says, also where they overlap") {
  rc::prop("any ranges", [] {
    std::vector<OwnedRanges::Owned> all;
    const auto count = *rc::gen::inRange(0, 12);
    for (int i = 0; i < count; ++i) {
      const auto begin = *rc::gen::inRange<uint64_t>(0, 40);
      all.push_back({{begin, begin + *rc::gen::inRange<uint64_t>(0, 12)}, ThreadId(*rc::gen::inRange<uint32_t>(1, 4))});
    }
    const OwnedRanges ranges(all);
    for (uint32_t t = 1; t < 5; ++t)
      for (uint64_t begin = 0; begin < 52; ++begin)
        for (uint64_t end = begin + 1; end <= 54; ++end)
          RC_ASSERT(ranges.others_in(ThreadId(t), {begin, end}) == others_in(all, ThreadId(t), {begin, end}));
  });
}

}  // namespace cdr::races
