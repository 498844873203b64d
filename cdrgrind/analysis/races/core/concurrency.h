// SPDX-License-Identifier: GPL-2.0-or-later
// Which segments of two threads are concurrent, as few rectangles. For a segment i of the one thread, the
// concurrent ones of the other are an interval [lo(i), hi(i)], and both ends never go down with i:
//
//     i=1  [1 2]                 whole range of i at once, then what is left for its halves:
//     i=2  [1 2 3]               {1..4} x {2}, {1,2} x {1}, {2} x {3}, {3,4} x {3}, {4} x {4}
//     i=3    [2 3]
//     i=4    [2 3 4]
//
// n segments give O(n log n) rectangles whose sides are nodes of binary trees over the segments.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_CONCURRENCY_H
#define CDRGRIND_ANALYSIS_RACES_CORE_CONCURRENCY_H

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cdrgrind/analysis/races/core/segments.h"

namespace cdr::races {

// [first, last], none if first > last.
struct SegmentRange {
  SegmentNumber first = 1, last = 0;
  bool empty() const { return first > last; }
  bool operator==(const SegmentRange&) const = default;
};

class Concurrency {
 public:
  Concurrency(const Segments& segments, ThreadId a, ThreadId b, Order order)
      : Concurrency(segments, a, b, order, {1, static_cast<SegmentNumber>(segments.count(b))}) {}
  // Of b nothing but these.
  Concurrency(const Segments& segments, ThreadId a, ThreadId b, Order order, SegmentRange of_b)
      : segments_(segments), a_(a), b_(b), order_(order), of_b_(of_b) {}

  // Segments of b that are concurrent with segment i of a.
  SegmentRange with(SegmentNumber i) const { return with(i, of_b_.first - 1, of_b_.last); }
  // f(range of a, range of b), of those segments of a; b's ranges are nodes [k * 2^n + 1, (k + 1) * 2^n], cut where its
  // segments end. Without rectangles in the parts of which worth(range of a, range of b) is false.
  template <class W, class F>
  void for_each_rectangle(SegmentRange of_a, W worth, F f) const {
    if (!of_a.empty() && !of_b_.empty()) split(of_a, with(of_a.first), with(of_a.last), {}, worth, f);
  }
  template <class F>
  void for_each_rectangle(F f) const {
    const auto n = static_cast<SegmentNumber>(segments_.count(a_));
    for_each_rectangle(
        {1, n}, [](SegmentRange, SegmentRange) { return true; }, f);
  }

 private:
  // The last one is in [low, high].
  SegmentRange with(SegmentNumber i, SegmentNumber low, SegmentNumber high) const {
    return {std::max(segments_.known(a_, i, b_, order_) + 1, of_b_.first), last_not_knowing(i, low, high)};
  }
  SegmentNumber last_not_knowing(SegmentNumber i, SegmentNumber low, SegmentNumber high) const {
    while (low < high) {
      const SegmentNumber middle = low + (high - low + 1) / 2;
      if (segments_.known(b_, middle, a_, order_) < i)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
  // `begin`, `end`: those concurrent with the first and the last of a.
  template <class W, class F>
  void split(SegmentRange of_a, SegmentRange begin, SegmentRange end, SegmentRange done, W& worth, F& f) const {
    const SegmentRange all{begin.first, end.last};
    if (all.empty() || !worth(of_a, all)) return;
    const SegmentRange common{end.first, begin.last};
    if (!common.empty()) {
      if (done.empty()) {
        in_nodes(of_a, common, f);
      } else {
        if (common.first < done.first) in_nodes(of_a, {common.first, done.first - 1}, f);
        if (common.last > done.last) in_nodes(of_a, {done.last + 1, common.last}, f);
      }
      if (common == all) return;
      done = common;
    }
    if (of_a.first == of_a.last) return;
    const SegmentNumber middle = of_a.first + (of_a.last - of_a.first) / 2;
    const SegmentRange before = with(middle, begin.last, end.last), behind = with(middle + 1, before.last, end.last);
    split({of_a.first, middle}, begin, before, done, worth, f);
    split({middle + 1, of_a.last}, behind, end, done, worth, f);
  }
  template <class F>
  static void in_nodes(SegmentRange of_a, SegmentRange of_b, F& f) {
    SegmentNumber at = of_b.first - 1;  // from 0
    while (at < of_b.last) {
      SegmentNumber size = 1;
      while (at % (2 * size) == 0 && at + 2 * size <= of_b.last) size *= 2;
      f(of_a, SegmentRange{at + 1, at + size});
      at += size;
    }
  }

  const Segments& segments_;
  ThreadId a_, b_;
  Order order_;
  SegmentRange of_b_;
};

}  // namespace cdr::races

#endif
