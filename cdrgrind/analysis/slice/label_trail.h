// SPDX-License-Identifier: GPL-2.0-or-later
// In place of sets (label_sets.h), where one label alone is followed: by which steps it came. Of several ways the one
// of the fewest steps is kept.
#ifndef CDRGRIND_ANALYSIS_SLICE_LABEL_TRAIL_H
#define CDRGRIND_ANALYSIS_SLICE_LABEL_TRAIL_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/slice/flow_step.h"
#include "cdrgrind/analysis/slice/label_sets.h"

namespace cdr::slice {

class LabelTrail {
 public:
  explicit LabelTrail(LabelId of) : of_(of) {}

  Labels single(LabelId label) const { return label == of_ ? 1 : 0; }
  Labels unite(Labels a, Labels b) const {
    if (a == 0 || b == 0) return a | b;
    return nodes_[b].length < nodes_[a].length ? b : a;
  }
  Labels weaken(Labels a) const { return a; }
  bool alike(Labels a, Labels b) const { return (a == 0) == (b == 0) && nodes_[a].length == nodes_[b].length; }
  template <class F>
  Labels step(Labels a, F make) {
    if (a == 0 || nodes_.size() >= kMostSteps) return a;
    nodes_.push_back({make(), a, nodes_[a].length + 1});
    return static_cast<Labels>(nodes_.size() - 1);
  }
  // From the last to the first; of many those at both ends.
  std::vector<FlowStep> steps(Labels a) const {
    std::vector<FlowStep> all;
    const uint32_t length = nodes_[a].length;
    for (; a > 1; a = nodes_[a].before)
      if (nodes_[a].length + kShown / 2 > length || nodes_[a].length <= kShown / 2) all.push_back(nodes_[a].step);
    return all;
  }

 private:
  static constexpr size_t kMostSteps = 1 << 20;
  static constexpr uint32_t kShown = 40;
  struct Node {
    FlowStep step;
    Labels before = 0;
    uint32_t length = 0;
  };

  LabelId of_;
  std::vector<Node> nodes_ = std::vector<Node>(2);  // none, and where the label is given
};

}  // namespace cdr::slice

#endif
