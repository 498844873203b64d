// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/loop_forest.h"

#include <algorithm>

namespace cdr::regions {
namespace {

constexpr uint32_t kNone = GraphLoop::kNone;

// Components of a part of the graph (Tarjan 1972), without recursion.
class Components {
 public:
  // `part[n] == number`: node n is in the part; edges to `without` do not count.
  Components(const slice::FlowGraph& graph, const std::vector<uint32_t>& part)
      : graph_(graph), part_(part), order_(graph.size()), low_(graph.size()), on_stack_(graph.size()) {}

  // f(nodes) for each component of more than one node.
  template <class F>
  void find(const std::vector<uint32_t>& nodes, uint32_t without, F f) {
    for (const uint32_t n : nodes) order_[n] = 0;
    without_ = without;
    next_ = 0;
    for (const uint32_t n : nodes)
      if (n != without && order_[n] == 0) search(n, f);
  }

 private:
  struct Step {
    uint32_t node;
    size_t next;
  };

  void open(uint32_t n) {
    order_[n] = low_[n] = ++next_;
    stack_.push_back(n);
    on_stack_[n] = true;
    path_.push_back({n, 0});
  }

  template <class F>
  void search(uint32_t root, F f) {
    open(root);
    while (!path_.empty()) {
      const uint32_t n = path_.back().node;
      const auto successors = graph_.successors(n);
      if (path_.back().next < successors.size()) {
        const uint32_t s = successors[path_.back().next++];
        if (part_[s] != part_[n] || s == without_) continue;
        if (order_[s] == 0)
          open(s);
        else if (on_stack_[s])
          low_[n] = std::min(low_[n], order_[s]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().node] = std::min(low_[path_.back().node], low_[n]);
      if (low_[n] == order_[n]) close(n, f);
    }
  }

  template <class F>
  void close(uint32_t root, F f) {
    std::vector<uint32_t> nodes;
    uint32_t n;
    do {
      n = stack_.back();
      stack_.pop_back();
      on_stack_[n] = false;
      nodes.push_back(n);
    } while (n != root);
    if (nodes.size() > 1) f(std::move(nodes));
  }

  const slice::FlowGraph& graph_;
  const std::vector<uint32_t>& part_;
  std::vector<uint32_t> order_, low_;
  std::vector<bool> on_stack_;
  std::vector<uint32_t> stack_;
  std::vector<Step> path_;
  uint32_t without_ = kNone, next_ = 0;
};

}  // namespace

std::vector<GraphLoop> find_loops(const slice::FlowGraph& graph, uint32_t entry) {
  std::vector<std::vector<uint32_t>> predecessors(graph.size());
  for (uint32_t n = 1; n < graph.size(); ++n)
    for (const uint32_t s : graph.successors(n)) predecessors[s].push_back(n);

  std::vector<GraphLoop> loops;
  std::vector<uint32_t> part(graph.size(), kNone);  // by node: the innermost loop so far
  part[0] = kNone - 1;
  Components components(graph, part);
  const auto add = [&](std::vector<uint32_t> nodes, uint32_t parent) {
    std::sort(nodes.begin(), nodes.end());
    std::vector<uint32_t> entries;
    for (const uint32_t n : nodes) {
      const auto outside = [&](uint32_t p) { return !std::binary_search(nodes.begin(), nodes.end(), p); };
      if (n == entry || std::any_of(predecessors[n].begin(), predecessors[n].end(), outside)) entries.push_back(n);
    }
    const bool irregular = entries.size() != 1;
    loops.push_back({irregular ? nodes.front() : entries.front(), parent, irregular, std::move(nodes)});
  };

  std::vector<uint32_t> all;
  for (uint32_t n = 1; n < graph.size(); ++n) all.push_back(n);
  components.find(all, kNone, [&](std::vector<uint32_t> nodes) { add(std::move(nodes), kNone); });
  for (uint32_t i = 0; i < loops.size(); ++i) {
    for (const uint32_t n : loops[i].nodes) part[n] = i;
    const uint32_t header = loops[i].header;
    const std::vector<uint32_t> nodes = loops[i].nodes;
    components.find(nodes, header, [&](std::vector<uint32_t> inner) { add(std::move(inner), i); });
  }
  return loops;
}

}  // namespace cdr::regions
