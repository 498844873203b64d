// SPDX-License-Identifier: GPL-2.0-or-later
// Vector clocks over segments. A thread's segments are numbered from 1; clock[t] = k says that segments 1 … k of
// thread t are over and happen before what has the clock.
#ifndef CDRGRIND_ANALYSIS_RACES_CLOCK_H
#define CDRGRIND_ANALYSIS_RACES_CLOCK_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/id.h"

namespace cdr::analysis {

using SegmentNumber = uint32_t;  // 0: none

class VectorClock {
 public:
  SegmentNumber operator[](ThreadId t) const { return t.value < known_.size() ? known_[t.value] : 0; }
  void set(ThreadId t, SegmentNumber n) {
    if (t.value >= known_.size()) known_.resize(t.value + 1);
    known_[t.value] = n;
  }
  // Both of them; true if that is more than it was.
  bool join(const VectorClock& other) {
    bool grew = false;
    if (other.known_.size() > known_.size()) known_.resize(other.known_.size());
    for (std::size_t i = 0; i < other.known_.size(); ++i) {
      if (other.known_[i] <= known_[i]) continue;
      known_[i] = other.known_[i];
      grew = true;
    }
    return grew;
  }
  // Nothing in it that `other` has not.
  bool within(const VectorClock& other) const {
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (known_[i] > other[ThreadId(static_cast<uint32_t>(i))]) return false;
    return true;
  }
  bool empty() const { return known_.empty(); }
  void clear() { known_.clear(); }

 private:
  std::vector<SegmentNumber> known_;  // by thread
};

}  // namespace cdr::analysis

#endif
