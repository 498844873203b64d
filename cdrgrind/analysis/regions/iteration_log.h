// SPDX-License-Identifier: GPL-2.0-or-later
// When the iterations of one loop instance began. Iterations of equal length take no room: what is kept are runs of
// equal distances.
#ifndef CDRGRIND_ANALYSIS_REGIONS_ITERATION_LOG_H
#define CDRGRIND_ANALYSIS_REGIONS_ITERATION_LOG_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace cdr::regions {

class IterationLog {
 public:
  void clear() {
    runs_.clear();
    count_ = 0;
  }
  // The next iteration; they are numbered from 1. `start` grows.
  void add(uint64_t start) {
    ++count_;
    if (!runs_.empty()) {
      Run& last = runs_.back();
      const uint64_t length = count_ - last.number;  // iterations in it
      if (length == 1) last.step = start - last.start;
      if (start - last.start == last.step * length) return;
    }
    runs_.push_back({start, 0, count_});
  }
  uint64_t count() const { return count_; }

  // `end`: where the next one starts; of the last one there is none yet.
  struct Place {
    uint64_t number = 0, start = 0, end = 0;
  };
  // The iteration at time `t`, which is not before the first.
  Place at(uint64_t t) const {
    const auto r =
        std::upper_bound(runs_.begin(), runs_.end(), t, [](uint64_t x, const Run& y) { return x < y.start; });
    const Run& run = *(r - 1);
    const uint64_t next = r == runs_.end() ? count_ + 1 : r->number;
    const uint64_t steps = run.step == 0 ? 0 : std::min((t - run.start) / run.step, next - run.number - 1);
    const uint64_t start = run.start + steps * run.step;
    const bool last = run.number + steps + 1 == next;
    return {run.number + steps, start, !last ? start + run.step : r == runs_.end() ? ~uint64_t{0} : r->start};
  }

 private:
  struct Run {
    uint64_t start, step, number;
  };
  std::vector<Run> runs_;
  uint64_t count_ = 0;
};

}  // namespace cdr::regions

#endif
