// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/tables/code_table.h"

#include <algorithm>
#include <set>
#include <utility>

namespace cdr::symbols {

FunctionIndex CodeTable::add_function(const FunctionRecord& function) {
  functions_.push_back(function);
  return static_cast<FunctionIndex>(functions_.size() - 1);
}

void CodeTable::set_linkage_name(FunctionIndex function, StringId mangled) {
  functions_[function].linkage_name = mangled;
  functions_[function].name = StringId::empty;
}

NodeIndex CodeTable::add_real(FunctionIndex function, std::uint64_t entry) {
  const auto index = static_cast<NodeIndex>(nodes_.size());
  if (!by_entry_.emplace(entry, index).second) return 0;
  nodes_.push_back({.function = function});
  entries_.emplace(index, entry);
  return index;
}

NodeIndex CodeTable::add_inlined(const CodeNode& node) {
  nodes_.push_back(node);
  nodes_.back().depth = static_cast<std::uint16_t>(nodes_[node.parent].depth + 1);
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

void CodeTable::add_range(NodeIndex node, CodeRange range) {
  if (range.begin < range.end) ranges_.push_back({range, node});
}

// Sweeps over all range ends; of the ranges that are open the deepest one
// counts, and of equally deep ones (the same code told twice) the first.
void CodeTable::seal() {
  struct Edge {
    std::uint64_t address;
    NodeIndex node;
    bool opens;
  };
  std::vector<Edge> edges;
  edges.reserve(ranges_.size() * 2);
  for (const Range& r : ranges_) {
    edges.push_back({r.range.begin, r.node, true});
    edges.push_back({r.range.end, r.node, false});
  }
  ranges_ = {};
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.address < b.address; });

  std::multiset<std::pair<std::uint16_t, NodeIndex>> open;  // (65535 - depth, node)
  for (std::size_t i = 0; i < edges.size();) {
    const std::uint64_t address = edges[i].address;
    const std::size_t first = i;
    while (i < edges.size() && edges[i].address == address) ++i;
    const auto key = [&](const Edge& edge) {
      return std::pair(static_cast<std::uint16_t>(0xffff - nodes_[edge.node].depth), edge.node);
    };
    for (std::size_t j = first; j < i; ++j) {
      if (edges[j].opens) open.insert(key(edges[j]));
    }
    for (std::size_t j = first; j < i; ++j) {
      if (!edges[j].opens) open.erase(open.find(key(edges[j])));
    }
    const NodeIndex node = open.empty() ? 0 : open.begin()->second;
    if (segments_.empty() || segments_.back().node != node) segments_.push_back({address, node});
  }
  segments_.shrink_to_fit();
  by_entry_ = {};
}

NodeIndex CodeTable::innermost(std::uint64_t address) const {
  auto after = std::upper_bound(segments_.begin(), segments_.end(), address,
                                [](std::uint64_t wanted, const Segment& segment) { return wanted < segment.begin; });
  return after == segments_.begin() ? 0 : std::prev(after)->node;
}

NodeIndex CodeTable::real_function(NodeIndex index) const {
  while (nodes_[index].parent != 0) index = nodes_[index].parent;
  return index;
}

std::uint64_t CodeTable::entry(NodeIndex real) const {
  auto found = entries_.find(real);
  return found == entries_.end() ? 0 : found->second;
}

}  // namespace cdr::symbols
