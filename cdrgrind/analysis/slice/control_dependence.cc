// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/control_dependence.h"

#include <algorithm>

namespace cdr::slice {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;
constexpr uint32_t kNone = ~uint32_t{0};

// Appends what can be reached from `from` and was not yet, children before their parents.
void visit(uint32_t from, const Lists& edges, std::vector<bool>& seen, std::vector<uint32_t>& order) {
  std::vector<std::pair<uint32_t, size_t>> path = {{from, 0}};
  seen[from] = true;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == edges[node].size()) {
      order.push_back(node);
      path.pop_back();
    } else if (const uint32_t child = edges[node][next++]; !seen[child]) {
      seen[child] = true;
      path.push_back({child, 0});
    }
  }
}

// Has every node reach the exit, if need be by an edge of its own; the edges then, the other way in `predecessors`.
Lists complete(const Lists& successors, Lists& predecessors) {
  Lists forward = successors;
  std::vector<bool> seen(successors.size());
  std::vector<uint32_t> order;
  visit(0, predecessors, seen, order);
  for (uint32_t n = static_cast<uint32_t>(successors.size()); n-- > 1;) {
    if (seen[n]) continue;
    predecessors[0].push_back(n);
    forward[n].push_back(0);
    visit(n, predecessors, seen, order);
  }
  return forward;
}

}  // namespace

FlowGraph FlowGraph::of_places(std::span<const std::vector<uint32_t>> next) {
  const auto end = static_cast<uint32_t>(next.size());
  FlowGraph graph(end);
  for (uint32_t p = 0; p < end; ++p)
    for (const uint32_t to : next[p]) graph.add_edge(p + 1, to == end ? 0 : to + 1);
  return graph;
}

void FlowGraph::add_edge(uint32_t from, uint32_t to) {
  auto& s = successors_[from];
  if (std::find(s.begin(), s.end(), to) == s.end()) s.push_back(to);
}

std::vector<std::vector<uint32_t>> FlowGraph::predecessors() const {
  Lists before(size());
  for (uint32_t n = 0; n < size(); ++n)
    for (const uint32_t s : successors_[n]) before[s].push_back(n);
  return before;
}

std::vector<bool> FlowGraph::leads_to_exit() const {
  std::vector<bool> leads(size());
  std::vector<uint32_t> order;
  visit(0, predecessors(), leads, order);
  return leads;
}

// Cooper, Harvey and Kennedy 2001, on the reversed graph.
std::vector<uint32_t> FlowGraph::immediate_postdominators() const {
  Lists before = predecessors();
  const Lists forward = complete(successors_, before);
  std::vector<bool> seen(size());
  std::vector<uint32_t> order;
  visit(0, before, seen, order);
  std::vector<uint32_t> rank(size());
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;

  std::vector<uint32_t> idom(size(), kNone);
  idom[0] = 0;
  const auto common = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (rank[a] < rank[b]) a = idom[a];
      while (rank[b] < rank[a]) b = idom[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size(); i-- > 0;) {
      const uint32_t n = order[i];
      if (n == 0) continue;
      uint32_t all = kNone;
      for (const uint32_t s : forward[n])
        if (idom[s] != kNone) all = all == kNone ? s : common(all, s);
      if (all == idom[n]) continue;
      idom[n] = all;
      changed = true;
    }
  }
  return idom;
}

std::vector<std::vector<uint32_t>> FlowGraph::control_dependence() const {
  const std::vector<uint32_t> idom = immediate_postdominators();
  Lists on(size());
  for (uint32_t u = 1; u < size(); ++u) {
    if (successors_[u].size() < 2) continue;
    for (const uint32_t v : successors_[u])
      for (uint32_t n = v; n != idom[u] && n != 0; n = idom[n])
        if (on[n].empty() || on[n].back() != u) on[n].push_back(u);
  }
  return on;
}

uint32_t common_postdominator(std::span<const uint32_t> immediate, std::span<const uint32_t> nodes) {
  uint32_t all = nodes.front();
  for (const uint32_t n : nodes) {
    std::vector<bool> passed(immediate.size());
    for (uint32_t at = n; !passed[at]; at = immediate[at]) passed[at] = true;
    while (!passed[all]) all = immediate[all];
  }
  return all;
}

}  // namespace cdr::slice
