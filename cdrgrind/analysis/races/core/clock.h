// SPDX-License-Identifier: GPL-2.0-or-later
// Vector clocks over segments. A thread's segments are numbered from 1; clock[t] = k says that segments 1 … k of
// thread t are over and happen before what has the clock.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_H
#define CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cdrgrind/analysis/races/core/clock_tree.h"
#include "cdrgrind/base/id.h"

namespace cdr::races {

using SegmentNumber = uint32_t;  // 0: none

// Clocks are copied and joined at every operation that orders: those of few threads take no memory of the heap, those
// of many share what they have alike.
class VectorClock {
 public:
  SegmentNumber operator[](ThreadId t) const { return t.value < kFew ? few_[t.value] : others_[t.value - kFew]; }
  void set(ThreadId t, SegmentNumber n) {
    if (t.value < kFew)
      few_[t.value] = n;
    else
      others_.set(t.value - kFew, n);
  }
  // Both of them; true if that is more than it was.
  bool join(const VectorClock& other) {
    bool grew = false;
    for (size_t i = 0; i < kFew; ++i) {
      grew |= other.few_[i] > few_[i];
      few_[i] = std::max(few_[i], other.few_[i]);
    }
    return other.others_.empty() ? grew : others_.join(other.others_) || grew;
  }
  // Those of threads from kFew on.
  const ClockTree& others() const { return others_; }
  // They are equal, for all that can be told at once.
  bool same(const VectorClock& other) const { return few_ == other.few_ && others_.same(other.others_); }

  static constexpr uint32_t kFew = 8;

 private:
  std::array<SegmentNumber, kFew> few_{};  // by thread
  ClockTree others_;                       // by thread, less kFew
};

}  // namespace cdr::races

#endif
