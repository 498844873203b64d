// SPDX-License-Identifier: GPL-2.0-or-later
// The sweep keeps memory bounded: every call makes a node and every block a context or two, for ever. But of a
// folded node (activation_tree.h) only the anchor, the call site there and hiddenness can still be seen, so
// all cells are rewritten to one context for each such triple (and visit, and access flags), and nodes,
// contexts and reader sets that no cell refers to any more are dropped.
//
//     nfib(35) makes 30 million nodes; at any time a cell of its stack was last written by a frame that is
//     open (at most 35) or by one that is folded into an open one (two calls in each, 70 triples).
//
// It is due when the tables have doubled, plus 64 Ki, plus a quarter of the cells: so a node pays for a
// constant number of cells.
#include <algorithm>

#include "cdrgrind/depend/machine.h"

namespace cdr::depend {
namespace {

constexpr uint64_t kCellsPerSweepNode = 256 * 1024;
constexpr uint64_t kMostNodes = 2 * 1024 * 1024;
constexpr uint64_t kRunsPerNode = 4;

}  // namespace

void Machine::set_sweep_limits() {
  const uint64_t least = options_.sweep_nodes;
  uint64_t room = least + memory_.shadow().cells() * least / kCellsPerSweepNode;
  room = std::min({room, kMostNodes, options_.memory_bytes / 8 / (sizeof(Node) + kRunsPerNode * sizeof(Run))});
  const auto limit = [](uint64_t survivors, uint64_t more) {
    return static_cast<uint32_t>(std::min<uint64_t>(2 * survivors + more, AccessContexts::kMaxRuns));
  };
  node_limit_ = limit(tree_.size(), room);
  run_limit_ = limit(contexts_.run_count(), kRunsPerNode * room);
  memory_.set_sweep_limit(limit(memory_.sets().count(), room));
}

void Machine::sweep() {
  peak_bytes_ = std::max(peak_bytes_, bytes());
  std::vector<NodeIndex> nodes(tree_.size());
  for (NodeIndex n = 1; n < tree_.size(); ++n) {
    if (!tree_[n].anchor()) continue;
    Node copy = tree_[n];
    copy.parent = nodes[copy.parent];
    nodes[n] = spare_.tree.size();  // it may be its own root
    copy.root = nodes[copy.root];
    spare_.tree.add_copy(copy);
  }
  spare_.contexts.start_move(contexts_);
  spare_.tree.visits().start_move(tree_.visits());
  FlatMap<Ref, Ref> moved_sets;
  const auto moved = [&](Ref r) { return spare_.contexts.moved(r, contexts_, tree_, nodes, spare_.tree); };
  const auto moved_set = [&](Ref r) {
    const auto [known, added] = moved_sets.insert(r);
    if (added) *known = spare_.sets.moved(r, memory_.sets(), moved);
    return *known;
  };
  memory_.rewrite(moved, moved_set);
  move_frames(nodes);
  move_visits(nodes);
  take_spare();
  lowered_blocks_.forget_contexts();
  classifier_.empty_cache();
  ++sweeps_;
  set_sweep_limits();
}

// What was filled becomes the present, and what was the present an empty spare.
void Machine::take_spare() {
  spare_.contexts.finish_move(contexts_);
  spare_.tree.visits().finish_move();
  std::swap(contexts_, spare_.contexts);
  std::swap(tree_, spare_.tree);
  spare_.tree.clear();
  std::swap(memory_.sets(), spare_.sets);
  spare_.sets.clear();
}

void Machine::move_frames(std::span<const NodeIndex> nodes) {
  for (StackIndex i = 1; i < stacks_.end(); ++i) {
    stacks_[i].root = nodes[stacks_[i].root];
    for (Frame& f : stacks_[i].frames) f.node = nodes[f.node];
  }
}

void Machine::move_visits(std::span<const NodeIndex> nodes) {
  const auto move = [&](VisitIndex& v) { v = spare_.tree.visits().moved(v, tree_.visits(), tree_, nodes); };
  for (StackIndex i = 1; i < stacks_.end(); ++i) move(stacks_[i].visit);
  for (ThreadState& t : stacks_.threads()) {
    move(t.created);
    for (ThreadState::Link& l : t.visits) move(l.visit);
  }
}

uint64_t Machine::bytes() const {
  return memory_.shadow().bytes() + memory_.sets().bytes() + tree_.bytes() + contexts_.bytes() + spare_.bytes() +
         row_table_.bytes() + codes_.bytes() + lowered_blocks_.bytes();
}

Stats Machine::stats() const {
  Stats s;
  s.accesses = row_table_.accesses() + lost_;
  s.cells = memory_.shadow().cells();
  s.nodes = tree_.size() - 1;
  s.sweeps = sweeps_;
  s.bytes = bytes();
  s.peak_bytes = std::max(peak_bytes_, s.bytes);
  s.imprecise = memory_.imprecise() + lost_;
  return s;
}

std::vector<PartRow> Machine::rows() {
  lowered_blocks_.count_inline_caches(row_table_);
  classifier_.count_known_rows();
  return row_table_.rows(codes_);
}

ResultTable Machine::results() {
  std::vector<Row> all;
  for (const PartRow& r : rows()) all.push_back(r.row);
  return ResultTable(std::move(all), options_.granularity, stats());
}

}  // namespace cdr::depend
