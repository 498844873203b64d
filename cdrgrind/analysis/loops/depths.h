// SPDX-License-Identifier: GPL-2.0-or-later
// How many calls are open at each symbol of a sequence, as differences from the symbol before: a byte each.
#ifndef CDRGRIND_ANALYSIS_LOOPS_DEPTHS_H
#define CDRGRIND_ANALYSIS_LOOPS_DEPTHS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/common/big_array.h"

namespace cdr::loops {

// Not thread-safe.
class Depths {
 public:
  bool empty() const { return steps_.empty(); }
  size_t size() const { return steps_.size(); }
  void push_back(uint16_t depth) {
    const int32_t step = int32_t{depth} - last_;
    const bool is_far = step <= kFar || step > INT8_MAX;
    if (is_far) far_.push_back({steps_.size(), step});
    steps_.push_back(is_far ? kFar : static_cast<int8_t>(step));
    last_ = depth;
  }
  // Those from `first` on so many times more.
  void repeat_from(size_t first, size_t times) {
    const size_t end = steps_.size(), length = end - first;
    if (length == 0) return;
    int32_t depth = last_;
    for (size_t at = end; --at > first;) depth -= step(at);
    const auto once = [&] {
      int32_t d = depth;
      push_back(static_cast<uint16_t>(d));
      for (size_t at = first + 1; at < end; ++at) push_back(static_cast<uint16_t>(d += step(at)));
    };
    if (times > 0) once(), --times;
    // The first of them follows the last from here on.
    if (times == 0) return;
    if (std::find(steps_.begin() + end, steps_.end(), kFar) != steps_.end()) {
      for (; times > 0; --times) once();
      return;
    }
    steps_.resize(end + length * (times + 1));
    for (size_t at = end + length; at < steps_.size(); at += length)
      std::copy_n(steps_.begin() + end, length, steps_.begin() + at);
  }
  // f(position, depth less the depth at `begin`)
  template <class F>
  void for_each(size_t begin, size_t end, F f) const {
    int32_t depth = 0;
    for (size_t at = begin; at < end; ++at) {
      if (at > begin) depth += step(at);
      f(at, depth);
    }
  }
  bool operator==(const Depths& other) const { return std::ranges::equal(steps_, other.steps_) && far_ == other.far_; }

 private:
  struct Far {
    uint64_t at;
    int32_t step;
    bool operator==(const Far&) const = default;
  };
  static constexpr int8_t kFar = INT8_MIN;

  int32_t step(size_t at) const {
    if (steps_[at] != kFar) return steps_[at];
    return std::lower_bound(far_.begin(), far_.end(), at, [](const Far& f, size_t i) { return f.at < i; })->step;
  }

  analysis::BigArray<int8_t> steps_;
  std::vector<Far> far_;  // steps that are no int8_t, by position
  int32_t last_ = 0;
};

}  // namespace cdr::loops

#endif
