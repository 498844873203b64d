// SPDX-License-Identifier: GPL-2.0-or-later
// Control dependence in the classical sense (Ferrante, Ottenstein and Warren 1987): node n depends on branch u if one
// way out of u leads to n in any case, and another may avoid it. So what follows a loop does not depend on its exit.
#ifndef CDRGRIND_ANALYSIS_SLICE_CONTROL_DEPENDENCE_H
#define CDRGRIND_ANALYSIS_SLICE_CONTROL_DEPENDENCE_H

#include <cstdint>
#include <span>
#include <vector>

namespace cdr::slice {

// Nodes are 1 … n; 0 is the exit. An edge to the exit is one like others.
class FlowGraph {
 public:
  explicit FlowGraph(uint32_t nodes) : successors_(nodes + 1) {}
  // Of places and those that come next; behind the last place is the exit. Place p is node p + 1.
  static FlowGraph of_places(std::span<const std::vector<uint32_t>> next);
  void add_edge(uint32_t from, uint32_t to);
  uint32_t size() const { return static_cast<uint32_t>(successors_.size()); }
  std::span<const uint32_t> successors(uint32_t n) const { return successors_[n]; }
  // By node, ascending.
  std::vector<std::vector<uint32_t>> predecessors() const;
  // By node: whether a way leads from there to the exit.
  std::vector<bool> leads_to_exit() const;

  // Of each node the first node that every way from it to the exit passes; 0 for the exit itself. Where a part of the
  // graph cannot reach the exit, its highest node is taken to lead there.
  std::vector<uint32_t> immediate_postdominators() const;
  // By node: the branches that it depends on, ascending.
  std::vector<std::vector<uint32_t>> control_dependence() const;

 private:
  std::vector<std::vector<uint32_t>> successors_;
};

// The nearest node that every way from each of these, of which there is one, to the exit passes; `immediate`: of their
// graph, as immediate_postdominators() has them. A node passes itself.
uint32_t common_postdominator(std::span<const uint32_t> immediate, std::span<const uint32_t> nodes);

}  // namespace cdr::slice

#endif
