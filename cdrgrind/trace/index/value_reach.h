// SPDX-License-Identifier: GPL-2.0-or-later
// How far values that follow one after the other go from the value before them, by their differences.
#ifndef CDRGRIND_TRACE_INDEX_VALUE_REACH_H
#define CDRGRIND_TRACE_INDEX_VALUE_REACH_H

#include <algorithm>
#include <cstdint>

namespace cdr::trace {

class ValueReach {
 public:
  // From the lowest to the highest, the value before among them.
  int64_t low() const { return low_; }
  int64_t high() const { return high_; }
  // False if it is too far to be told, and stays so.
  bool known() const { return known_; }

  // `count` values more, each that much further.
  void step(int64_t difference, uint64_t count) {
    const int64_t before = end_;
    if (move(difference, count)) cover(before, end_);
  }
  // What reaches so far, `count` times over, each from where the one before ends.
  void add(const ValueReach& part, uint64_t count) {
    if (count == 0) return;
    known_ = known_ && part.known_;
    const int64_t first = end_;
    if (!move(part.end_, count)) return;
    const int64_t last = end_ - part.end_;
    cover(std::min(first, last) + part.low_, std::max(first, last) + part.high_);
  }

 private:
  static constexpr int64_t kFarthest = int64_t{1} << 61;
  static bool is_near(int64_t v) { return -kFarthest <= v && v <= kFarthest; }
  bool move(int64_t difference, uint64_t count) {
    int64_t by = 0;
    known_ = known_ && count <= kFarthest && !__builtin_mul_overflow(difference, static_cast<int64_t>(count), &by) &&
             is_near(by) && is_near(end_ + by);
    if (known_) end_ += by;
    return known_;
  }
  void cover(int64_t a, int64_t b) {
    low_ = std::min({low_, a, b});
    high_ = std::max({high_, a, b});
    known_ = is_near(low_) && is_near(high_);
  }

  int64_t low_ = 0, high_ = 0, end_ = 0;
  bool known_ = true;
};

}  // namespace cdr::trace

#endif
