// SPDX-License-Identifier: GPL-2.0-or-later
// Some instances of a race: the earliest, and up to 64 spread evenly over the rest, whatever their number.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_INSTANCES_H
#define CDRGRIND_ANALYSIS_RACES_CORE_INSTANCES_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/slice/race_ends.h"

namespace cdr::races {

class InstanceSample {
 public:
  void add(const slice::RacePair& p) {
    if (seen_++ == 0) {
      earliest_ = p;
      return;
    }
    if (seen_ % step_) return;
    rest_.push_back(p);
    if (rest_.size() < 2 * kMost) return;
    for (size_t i = 0; i < kMost; ++i) rest_[i] = rest_[2 * i + 1];
    rest_.resize(kMost);
    step_ *= 2;
  }
  // In order of time.
  std::vector<slice::RacePair> take() const {
    return spread(seen_ ? std::vector{earliest_} : std::vector<slice::RacePair>{}, rest_);
  }

  // The first of `all` and up to 64 of the others.
  static std::vector<slice::RacePair> spread(std::vector<slice::RacePair> first,
                                             const std::vector<slice::RacePair>& others) {
    const size_t n = std::min(others.size(), kMost);
    for (size_t i = 0; i < n; ++i) first.push_back(others[(i + 1) * others.size() / n - 1]);
    return first;
  }

 private:
  static constexpr size_t kMost = 64;
  uint64_t seen_ = 0, step_ = 1;
  slice::RacePair earliest_;
  std::vector<slice::RacePair> rest_;
};

// By the time of the later access.
inline bool earlier(const slice::RacePair& a, const slice::RacePair& b) {
  return std::pair(a.second, a.first) < std::pair(b.second, b.first);
}

}  // namespace cdr::races

#endif
