// SPDX-License-Identifier: GPL-2.0-or-later
// Where the steps of dependences' first occurrences (depend::Witness) are in the event stream: blocks, whole or
// partial, and system calls are counted, as the engine does.
#ifndef CDRGRIND_ANALYSIS_DEPENDENCE_ACCESS_STEPS_H
#define CDRGRIND_ANALYSIS_DEPENDENCE_ACCESS_STEPS_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::analysis {

class AccessSteps {
 public:
  // Number `i` has the step steps[i]; 0: none. They are met in this order.
  explicit AccessSteps(std::span<const uint64_t> steps) {
    for (size_t i = 0; i < steps.size(); ++i)
      if (steps[i] != 0) wanted_.emplace_back(steps[i], static_cast<uint32_t>(i));
    std::sort(wanted_.begin(), wanted_.end());
  }

  // Every event, in order. f(i) of those whose step it is.
  template <class F>
  void event(const Event& e, F f) {
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial && e.kind != EventKind::kSyscall) return;
    for (++step_; next_ < wanted_.size() && wanted_[next_].first == step_; ++next_) f(wanted_[next_].second);
  }
  // How many more may be passed over before one of these.
  uint64_t before_next() const { return done() ? ~uint64_t{0} : wanted_[next_].first - step_ - 1; }
  void pass(uint64_t steps) { step_ += steps; }
  bool done() const { return next_ == wanted_.size(); }

 private:
  std::vector<std::pair<uint64_t, uint32_t>> wanted_;
  size_t next_ = 0;
  uint64_t step_ = 0;
};

}  // namespace cdr::analysis

#endif
