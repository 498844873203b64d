// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/stretches.h"

namespace cdr {
namespace {

bool backward_jump(const BlockTable& blocks, BlockId from, BlockId to) {
  const Superblock& sb = blocks.superblock_of(from);
  const Exit& exit = blocks.exit_of(from);
  if (!is_jump(exit.kind)) return false;
  return blocks.superblock_of(to).addr <= exit_addr(sb, exit);
}

}  // namespace

uint32_t Stretches::finish(Open& open, bool bare) {
  const uint32_t node = open.node;
  open.node = 0;
  if (node == 0) return 0;
  return bare ? bare_at(node) : ended_at(node);
}

uint32_t Stretches::advance_slowly(Open& open, BlockId id) {
  const uint32_t node = open.node;
  if (node == 0 || !cut_between(node, id)) {
    open.node = child_of(node, id);
    nodes_[node].child_block = id.value;
    nodes_[node].child = open.node;
    return 0;
  }
  const uint32_t stretch = ended_at(node);
  open.node = child_of(0, id);
  nodes_[node].cut_block = id.value;
  nodes_[node].cut_start = open.node;
  return stretch;
}

bool Stretches::cut_between(uint32_t node, BlockId next) const {
  const Node& n = nodes_[node];
  return n.depth == kMaxStretch || backward_jump(blocks_, BlockId(n.block), next);
}

uint32_t Stretches::child_of(uint32_t node, BlockId id) {
  const auto [child, added] = children_.insert(uint64_t{node} << 32 | id.value);
  if (added) {
    *child = static_cast<uint32_t>(nodes_.size());
    Node n;
    n.block = id.value;
    n.parent = node;
    n.depth = nodes_[node].depth + 1;
    nodes_.push_back(n);
  }
  return *child;
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
  uint32_t node = ends_[id - 1 - forgotten_] & ~kBareBit;
  to.resize(nodes_[node].depth);
  for (size_t i = to.size(); i-- > 0; node = nodes_[node].parent) to[i] = BlockId(nodes_[node].block);
}

void Stretches::forget() {
  forgotten_ = count();
  nodes_ = std::vector<Node>(1);
  children_ = {};
  bare_ = {};
  ends_ = std::vector<uint32_t>();
}

size_t Stretches::bytes() const {
  return grown_bytes(nodes_) + children_.grown_bytes() + bare_.grown_bytes() + grown_bytes(ends_);
}

}  // namespace cdr
