// SPDX-License-Identifier: GPL-2.0-or-later
// What was asked in vain is asked again later and later.
#ifndef CDRGRIND_ANALYSIS_WALK_PATIENCE_H
#define CDRGRIND_ANALYSIS_WALK_PATIENCE_H

#include <algorithm>
#include <cstdint>

namespace cdr::analysis {

class Patience {
 public:
  bool asks() {
    if (left_ == 0) return true;
    --left_;
    return false;
  }
  void granted() { refused_ = 0; }
  void refused() {
    refused_ = std::min(refused_ + 1, kMost);
    left_ = (1U << refused_) - 1;
  }

 private:
  static constexpr uint32_t kMost = 10;
  uint32_t refused_ = 0, left_ = 0;
};

}  // namespace cdr::analysis

#endif
