// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/loop_forest.h"

#include <algorithm>

namespace cdr::regions {
namespace {

constexpr uint32_t kNone = GraphLoop::kNone;

// Components of a part of the graph (Tarjan 1972), without recursion.
class Components {
 public:
  // Nodes of one part have the same number.
  Components(const slice::FlowGraph& graph, const std::vector<uint32_t>& part)
      : graph_(graph), part_(part), order_(graph.size()), low_(graph.size()), on_stack_(graph.size()) {}

  // f(nodes) for each component of more than one node among those of the part.
  template <class F>
  void find(const std::vector<uint32_t>& nodes, uint32_t part, F f) {
    for (const uint32_t n : nodes) order_[n] = 0;
    next_ = 0;
    for (const uint32_t n : nodes)
      if (part_[n] == part && order_[n] == 0) search(n, f);
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
        if (part_[s] != part_[n]) continue;
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
  uint32_t next_ = 0;
};

class Forest {
 public:
  Forest(const slice::FlowGraph& graph, uint32_t entry, const SeenNodes& seen)
      : graph_(graph),
        entry_(entry),
        seen_(seen),
        predecessors_(graph.predecessors()),
        part_(graph.size(), kNone),
        components_(graph, part_) {
    part_[0] = kInNone;
  }

  std::vector<GraphLoop> find() {
    std::vector<uint32_t> all;
    for (uint32_t n = 1; n < graph_.size(); ++n) all.push_back(n);
    components_.find(all, kNone, [&](List nodes) {
      std::sort(nodes.begin(), nodes.end());
      add(std::move(nodes), kNone);
    });
    for (uint32_t i = 0; i < loops_.size(); ++i) {
      std::vector<List> inner = within(i);
      if (std::any_of(inner.begin(), inner.end(), [&](const List& l) { return is_irregular(l); })) turn(i, inner);
      for (List& l : inner) add(std::move(l), i);
    }
    return std::move(loops_);
  }

 private:
  using List = std::vector<uint32_t>;
  static constexpr uint32_t kInNone = kNone - 1;
  static constexpr size_t kMostTurns = 8;  // each takes a look at all of the loop

  // The components of the loop without its headers, each ascending.
  std::vector<List> within(uint32_t loop) {
    const GraphLoop& l = loops_[loop];
    for (const uint32_t n : l.nodes) part_[n] = loop;
    for (const uint32_t h : l.headers) part_[h] = kInNone;
    std::vector<List> inner;
    components_.find(l.nodes, loop, [&](List nodes) {
      std::sort(nodes.begin(), nodes.end());
      inner.push_back(std::move(nodes));
    });
    return inner;
  }

  // But threaded ones.
  bool is_irregular(const List& nodes) const {
    const List entries = entries_of(nodes);
    return entries.size() != 1 && targets_if_threaded(nodes, entries).empty();
  }

  // Gives the loop another header, if `inner` can be without irregular ones thereby.
  void turn(uint32_t loop, std::vector<List>& inner) {
    if (loops_[loop].headers.size() > 1) return;
    const uint32_t before = loops_[loop].headers.front();
    const List entries = entries_of(loops_[loop].nodes);
    const auto is_parted = [&](const List& l) {
      return is_irregular(l) || std::any_of(entries.begin(), entries.end(), [&](uint32_t e) { return has(l, e); });
    };
    for (const uint32_t h : block_starts_before(entries, loops_[loop].nodes)) {
      loops_[loop].headers = {h};
      std::vector<List> others = within(loop);
      if (std::any_of(others.begin(), others.end(), is_parted)) continue;
      loops_[loop].irregular = true;
      inner = std::move(others);
      return;
    }
    loops_[loop].headers = {before};
    within(loop);
  }

  // The first nodes of the straight ways within that lead to an entry, of those that ran.
  List block_starts_before(const List& entries, const List& nodes) const {
    List starts;
    for (const uint32_t e : entries)
      for (uint32_t n : predecessors_[e]) {
        if (!has(nodes, n) || !has_run(n)) continue;
        while (predecessors_[n].size() == 1 && graph_.successors(predecessors_[n][0]).size() == 1)
          n = predecessors_[n][0];
        if (has(nodes, n) && !has(entries, n)) starts.push_back(n);
      }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    if (starts.size() > kMostTurns) starts.resize(kMostTurns);
    return starts;
  }

  bool has_run(uint32_t n) const { return seen_.ran.empty() || seen_.ran[n]; }

  // Ascending nodes.
  void add(List nodes, uint32_t parent) {
    const List entries = entries_of(nodes);
    List headers = targets_if_threaded(nodes, entries);
    const bool irregular = entries.size() != 1 || !headers.empty();
    if (headers.empty()) headers = {header_of(nodes, entries)};
    loops_.push_back({std::move(headers), parent, irregular, std::move(nodes)});
  }

  // A component that is never entered has no entries.
  uint32_t header_of(const List& nodes, const List& entries) const {
    const auto ran = std::find_if(entries.begin(), entries.end(), [&](uint32_t n) { return has_run(n); });
    return ran != entries.end() ? *ran : entries.empty() ? nodes.front() : entries.front();
  }

  List entries_of(const List& nodes) const {
    List entries;
    for (const uint32_t n : nodes) {
      const auto outside = [&](uint32_t p) { return !has(nodes, p); };
      if (n == entry_ || std::any_of(predecessors_[n].begin(), predecessors_[n].end(), outside)) entries.push_back(n);
    }
    return entries;
  }

  // Ascending; none if it is not.
  List targets_if_threaded(const List& nodes, const List& entries) const {
    List targets;
    for (const uint32_t jump : seen_.computed) {
      if (!has(nodes, jump)) continue;
      for (const uint32_t s : graph_.successors(jump))
        if (has(nodes, s)) targets.push_back(s);
    }
    std::sort(targets.begin(), targets.end());
    const List all = targets;
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    const auto is_shared = [&](uint32_t t) {
      const auto [first, last] = std::equal_range(all.begin(), all.end(), t);
      return last - first > 1;
    };
    if (entries.size() == 1 && !is_shared(entries.front())) return {};
    const auto shared = std::count_if(targets.begin(), targets.end(), is_shared);
    return static_cast<size_t>(shared) < kShared ? List() : targets;
  }

  static bool has(const List& nodes, uint32_t n) { return std::binary_search(nodes.begin(), nodes.end(), n); }

  const slice::FlowGraph& graph_;
  uint32_t entry_;
  const SeenNodes& seen_;
  std::vector<List> predecessors_;
  List part_;  // by node: the innermost loop so far, if it is no header
  Components components_;
  std::vector<GraphLoop> loops_;
};

}  // namespace

std::vector<GraphLoop> find_loops(const slice::FlowGraph& graph, uint32_t entry, const SeenNodes& seen) {
  return Forest(graph, entry, seen).find();
}

}  // namespace cdr::regions
