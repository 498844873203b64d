// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/stretches.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cdr {
uint32_t Stretches::finish(Open& open, bool bare) {
  const uint32_t node = open.node;
  open = {};
  if (node == 0) return 0;
  return bare ? bare_at(node) : ended_at(node);
}

Stretches::Step Stretches::advance_slowly(Open open, BlockId id) {
  const uint32_t node = open.node;
  if (node == 0) return {{start_of(id), 1}, 0};
  if (open.depth < kMaxStretch && !backward_jump(BlockId(nodes_[node].block), id)) {
    const uint32_t child = child_of(node, id);
    nodes_[node].child_block = id.value;
    nodes_[node].child = child;
    return {{child, open.depth + 1}, 0};
  }
  const uint32_t stretch = ended_at(node), start = start_of(id);
  nodes_[node].cut_block = id.value;
  nodes_[node].cut_start = start;
  return {{start, 1}, stretch};
}

inline bool Stretches::backward_jump(BlockId from, BlockId to) {
  if (const BlockId most = std::max(from, to); most.value >= block_ends_.size()) [[unlikely]]
    learn_ends(most);
  const BlockEnds& p = block_ends_[from.value];
  return p.jumps && block_ends_[to.value].addr <= p.exit;
}

void Stretches::learn_ends(BlockId id) {
  for (auto next = std::max<uint32_t>(1, static_cast<uint32_t>(block_ends_.size())); next <= id.value; ++next) {
    const Superblock& sb = blocks_.superblock_of(BlockId(next));
    const Exit& exit = blocks_.exit_of(BlockId(next));
    block_ends_.resize(next + 1);
    block_ends_[next] = {sb.addr, exit_addr(sb, exit), is_jump(exit.kind)};
  }
}

uint32_t Stretches::start_of(BlockId id) {
  if (id.value >= starts_.size()) starts_.resize(id.value + 1);
  uint32_t& start = starts_[id.value];
  if (start == 0) start = new_node(0, id);
  return start;
}

// Of a node that is not the root.
uint32_t Stretches::child_of(uint32_t node, BlockId id) {
  const uint32_t first = nodes_[node].child;
  if (first == 0) return add_child(node, id);
  uint32_t child = first;
  for (uint32_t children = 1; children <= kFewChildren; ++children) {
    child = nodes_[child].sibling;
    if (nodes_[child].block == id.value) return child;
    if (child != first) continue;
    child = add_child(node, id);
    if (children == kFewChildren) list_children(node);
    return child;
  }
  const auto [listed, added] = many_.insert(uint64_t{node} << 32 | id.value);
  if (added) *listed = add_child(node, id);
  return *listed;
}

uint32_t Stretches::add_child(uint32_t node, BlockId id) {
  const uint32_t child = new_node(node, id), before = nodes_[node].child;
  nodes_[child].sibling = before == 0 ? child : std::exchange(nodes_[before].sibling, child);
  return child;
}

uint32_t Stretches::new_node(uint32_t parent, BlockId id) {
  Node n;
  n.block = id.value;
  n.parent = parent;
  nodes_.push_back(n);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

// The node has become one of many children.
void Stretches::list_children(uint32_t node) {
  const uint32_t first = nodes_[node].child;
  uint32_t child = first;
  do {
    *many_.insert(uint64_t{node} << 32 | nodes_[child].block).first = child;
    child = nodes_[child].sibling;
  } while (child != first);
}

uint32_t Stretches::ended_at(uint32_t node) {
  Node& n = nodes_[node];
  if (n.stretch == 0) {
    ends_.push_back(node);
    n.stretch = count();
  }
  return n.stretch;
}

uint32_t Stretches::bare_at(uint32_t node) {
  const auto [stretch, added] = bare_.insert(node);
  if (added) {
    ends_.push_back(node | kBareBit);
    *stretch = count();
  }
  return *stretch;
}

void Stretches::blocks_of(uint32_t id, std::vector<BlockId>& to) const {
  to.clear();
  for (uint32_t node = ends_[id - 1 - forgotten_] & ~kBareBit; node != 0; node = nodes_[node].parent)
    to.push_back(BlockId(nodes_[node].block));
  std::reverse(to.begin(), to.end());
}

void Stretches::forget() {
  forgotten_ = count();
  nodes_ = std::vector<Node>(1);
  starts_ = {};
  many_ = {};
  bare_ = {};
  ends_ = std::vector<uint32_t>();
}

// As if every child were in the table.
size_t Stretches::bytes() const {
  constexpr size_t kEntryBytes = sizeof(FlatMap<uint64_t, uint32_t>::Entry) + 1;
  const size_t children = nodes_.size() - 1;
  const size_t slots = children == 0 ? 0 : std::bit_ceil(std::max<size_t>(16, (children * 4 + 2) / 3));
  return grown_bytes(nodes_) + grown_table_bytes(children, slots, kEntryBytes) + bare_.grown_bytes() +
         grown_bytes(ends_);
}

}  // namespace cdr
