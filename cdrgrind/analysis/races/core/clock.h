// SPDX-License-Identifier: GPL-2.0-or-later
// Vector clocks over segments. A thread's segments are numbered from 1; clock[t] = k says that segments 1 … k of
// thread t are over and happen before what has the clock.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_H
#define CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/id.h"

namespace cdr::races {

using SegmentNumber = uint32_t;  // 0: none

// Clocks are copied and joined at every operation that orders: those of few threads take no memory of the heap.
class VectorClock {
 public:
  SegmentNumber operator[](ThreadId t) const {
    if (t.value < kFew) return few_[t.value];
    return t.value - kFew < others_.size() ? others_[t.value - kFew] : 0;
  }
  void set(ThreadId t, SegmentNumber n) {
    if (t.value < kFew) {
      few_[t.value] = n;
      return;
    }
    if (t.value - kFew >= others_.size()) others_.resize(t.value - kFew + 1);
    others_[t.value - kFew] = n;
  }
  // Both of them; true if that is more than it was.
  bool join(const VectorClock& other) {
    bool grew = false;
    for (size_t i = 0; i < kFew; ++i) {
      grew |= other.few_[i] > few_[i];
      few_[i] = std::max(few_[i], other.few_[i]);
    }
    return other.others_.empty() ? grew : join_others(other) || grew;
  }

 private:
  bool join_others(const VectorClock& other) {
    bool grew = false;
    if (other.others_.size() > others_.size()) others_.resize(other.others_.size());
    for (size_t i = 0; i < other.others_.size(); ++i) {
      grew |= other.others_[i] > others_[i];
      others_[i] = std::max(others_[i], other.others_[i]);
    }
    return grew;
  }

  static constexpr size_t kFew = 8;
  std::array<SegmentNumber, kFew> few_{};  // by thread
  std::vector<SegmentNumber> others_;      // by thread, less kFew
};

}  // namespace cdr::races

#endif
