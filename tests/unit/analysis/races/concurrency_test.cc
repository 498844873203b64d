// SPDX-License-Identifier: GPL-2.0-or-later
// Rectangles of concurrent segments against the clocks, pair by pair.
#include "cdrgrind/analysis/races/core/concurrency.h"

#include <map>

#include "tests/unit/properties.h"

using namespace cdr;
using namespace cdr::races;

namespace {

constexpr ThreadId kA{1}, kB{2};

void pass(Segments& s, ThreadId from, ThreadId to, EdgeKind edge = EdgeKind::kSync) { s.get(to, s.give(from), edge); }

std::map<std::pair<SegmentNumber, SegmentNumber>, int> covered(const Segments& s, Order order) {
  std::map<std::pair<SegmentNumber, SegmentNumber>, int> times;
  Concurrency(s, kA, kB, order).for_each_rectangle([&](SegmentRange x, SegmentRange y) {
    for (SegmentNumber i = x.first; i <= x.last; ++i)
      for (SegmentNumber j = y.first; j <= y.last; ++j) ++times[{i, j}];
  });
  return times;
}

}  // namespace

TEST_CASE("rectangles cover each concurrent pair of segments once") {
  rc::prop("for random edges", [](const std::vector<uint8_t>& steps) {
    Segments s;
    uint64_t event = 0;
    for (const uint8_t step : steps) {
      const ThreadId t = step & 1 ? kA : kB, other = step & 1 ? kB : kA;
      if ((step & 6) == 0)
        pass(s, t, other);
      else
        s.use(t, {++event, 0});
      if ((step & 6) == 2) s.give(t);
    }
    s.use(kA, {++event, 0});
    s.use(kB, {++event, 0});
    const auto times = covered(s, Order::kFull);
    for (SegmentNumber i = 1; i <= s.of(kA).size(); ++i)
      for (SegmentNumber j = 1; j <= s.of(kB).size(); ++j) {
        const bool ordered = s.known(kA, i, kB, Order::kFull) >= j || s.known(kB, j, kA, Order::kFull) >= i;
        const auto found = times.find({i, j});
        RC_ASSERT((found == times.end() ? 0 : found->second) == (ordered ? 0 : 1));
      }
  });
}

TEST_CASE("edges of atomic accesses and spin loops count in their orders only") {
  Segments s;
  s.use(kA, {1, 0});
  pass(s, kA, kB, EdgeKind::kAtomics);
  s.use(kB, {2, 0});
  CHECK(s.known(kB, 1, kA, Order::kFull) == 1);
  CHECK(s.known(kB, 1, kA, Order::kAtomics) == 1);
  CHECK(s.known(kB, 1, kA, Order::kSync) == 0);
  CHECK(s.had(EdgeKind::kAtomics));
  CHECK_FALSE(s.had(EdgeKind::kFull));
  CHECK(covered(s, Order::kFull).empty());
  CHECK(covered(s, Order::kSync).size() == 1);
}

TEST_CASE("giving without accesses between makes no segments") {
  Segments s;
  s.use(kA, {1, 0});
  for (int i = 0; i < 10; ++i) pass(s, kA, kB);
  s.use(kA, {2, 0});
  s.use(kB, {3, 0});
  CHECK(s.of(kA).size() == 2);
  CHECK(s.of(kB).size() == 1);
  CHECK(s.at(kA, {1, 5}) == 1);
  CHECK(s.at(kA, {2, 0}) == 2);
  CHECK(s.at(kB, {1, 0}) == 0);
}
