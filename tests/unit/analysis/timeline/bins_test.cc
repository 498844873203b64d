// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/timeline/bins.h"

#include <rapidcheck.h>

#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/unit/catch.h"

using namespace cdr::timeline;

namespace {

// Unit by unit.
std::vector<uint64_t> counted(const std::vector<std::pair<uint64_t, uint64_t>>& intervals, uint64_t width) {
  std::vector<uint64_t> sums;
  for (const auto& [begin, end] : intervals)
    for (uint64_t at = begin; at < end; ++at) {
      if (at / width >= sums.size()) sums.resize(at / width + 1);
      ++sums[at / width];
    }
  return sums;
}

}  // namespace

TEST_CASE("bins hold what intervals cover, however wide they became") {
  rc::check([] {
    const auto lengths = *rc::gen::container<std::vector<uint16_t>>(rc::gen::inRange<uint16_t>(0, 300));
    const size_t most = *rc::gen::inRange<size_t>(1, 20);
    Bins bins(most);
    std::vector<std::pair<uint64_t, uint64_t>> intervals;
    uint64_t at = 0;
    for (const uint16_t length : lengths) {
      intervals.emplace_back(at, at + length);
      bins.add(at, at + length);
      at += length / 2;
    }
    RC_ASSERT(bins.sums().size() <= most);
    RC_ASSERT(bins.sums() == counted(intervals, bins.width()));
    RC_ASSERT(bins.in(bins.width() * 4) == counted(intervals, bins.width() * 4));
  });
}

TEST_CASE("sparse bins lose nothing when they become wider") {
  rc::check([] {
    const auto things = *rc::gen::container<std::vector<uint8_t>>(rc::gen::inRange<uint8_t>(0, 9));
    const size_t most = *rc::gen::inRange<size_t>(1, 9);
    SparseBins bins(most);
    std::vector<std::pair<uint64_t, uint8_t>> happened;
    uint64_t at = 0;
    for (const uint8_t thing : things) {
      bins.add(at, thing, 1);
      happened.emplace_back(at, thing);
      at += thing;
    }
    bins.finish();
    std::vector<std::map<uint32_t, uint64_t>> expected;
    for (const auto& [when, thing] : happened) {
      if (when / bins.width() >= expected.size()) expected.resize(when / bins.width() + 1);
      ++expected[when / bins.width()][thing];
    }
    RC_ASSERT(bins.bins() == expected);
    RC_ASSERT(bins.bins().size() <= most);
  });
}
