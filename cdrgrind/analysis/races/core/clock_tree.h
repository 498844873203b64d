// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers by index, of which many copies differ little: a tree whose nodes are shared by all copies that have them
// alike. To copy is to count; to change or join one number costs a path, however many there are. A million strands that
// end one after the other each pass on one number more; where each keeps what it knew then, a path of nodes is there
// for each. So nodes are small, and lie in a pool that all trees share.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_TREE_H
#define CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_TREE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace cdr::races {

class ClockTree {
 public:
  static constexpr size_t kLeaf = 8, kFan = 8;
  using NodeId = uint32_t;  // 0: none
  // Of height 0 the numbers themselves. A node has the same indices in all trees that it is in.
  struct Node {
    uint32_t uses = 1;
    uint32_t height = 0;
    union {
      std::array<uint32_t, kLeaf> number{};
      std::array<NodeId, kFan> children;
    };
    const Node* child(size_t i) const { return at(children[i]); }
    // Indices below it.
    static uint64_t span(uint32_t height) { return uint64_t{kLeaf} << (3 * height); }
  };

  ClockTree() = default;
  ClockTree(const ClockTree& other) : root_(retained(other.root_)) {}
  ClockTree(ClockTree&& other) noexcept : root_(std::exchange(other.root_, 0)) {}
  ClockTree& operator=(ClockTree other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~ClockTree() { release(root_); }

  bool empty() const { return !root_; }
  const Node* root() const { return at(root_); }
  // Of one origin; others may have equal numbers, too.
  bool same(const ClockTree& other) const { return root_ == other.root_; }
  uint32_t operator[](uint64_t i) const {
    const Node* n = root();
    if (!n || i >= Node::span(n->height)) return 0;
    while (n && n->height > 0) n = n->child(index_in(n, i));
    return n ? n->number[i % kLeaf] : 0;
  }
  void set(uint64_t i, uint32_t n) {
    if ((*this)[i] == n) return;
    if (!root_) root_ = pool().add(0);
    while (i >= Node::span(at(root_)->height)) root_ = above(root_);
    NodeId to = root_ = own(root_);
    while (at(to)->height > 0) {
      NodeId& child = at(to)->children[index_in(at(to), i)];  // nodes do not move
      to = child = child ? own(child) : pool().add(at(to)->height - 1);
    }
    at(to)->number[i % kLeaf] = n;
  }
  // The greater of both, each; true if any grew. Where one of both has all of it, its nodes are taken.
  bool join(const ClockTree& other) {
    if (!other.root_ || root_ == other.root_) return false;
    if (!root_) {
      root_ = retained(other.root_);
      return true;
    }
    while (at(root_)->height < other.root()->height) root_ = above(root_);
    NodeId with = retained(other.root_);
    while (at(with)->height < at(root_)->height) with = above(with);
    unsigned more = 0;
    const NodeId all = joined(root_, with, true, more);
    if (all != root_) {
      release(root_);
      root_ = all;
    }
    release(with);
    return more & kOther;
  }

 private:
  static constexpr unsigned kMine = 1, kOther = 2;  // who has a greater number somewhere

  // Of all trees. What has been given back is used again.
  class Pool {
   public:
    Node* at(NodeId id) { return &pieces_[id >> kBits][id & (kPiece - 1)]; }
    NodeId add(uint32_t height) {
      NodeId id = free_;
      if (id) {
        free_ = at(id)->children[0];
      } else {
        if (last_ % kPiece == 0) pieces_.push_back(std::make_unique<Node[]>(kPiece));
        id = last_++;
        if (id == 0) return add(height);  // which is none's
      }
      *at(id) = Node();
      at(id)->height = height;
      return id;
    }
    void give_back(NodeId id) {
      at(id)->children[0] = free_;
      free_ = id;
    }

   private:
    static constexpr unsigned kBits = 12;
    static constexpr NodeId kPiece = NodeId{1} << kBits;
    std::vector<std::unique_ptr<Node[]>> pieces_;
    NodeId last_ = 0, free_ = 0;
  };
  static Pool& pool() {
    static Pool all;
    return all;
  }
  static Node* at(NodeId id) { return id ? pool().at(id) : nullptr; }

  static size_t index_in(const Node* n, uint64_t i) { return (i / Node::span(n->height - 1)) % kFan; }
  static NodeId retained(NodeId n) {
    if (n) ++at(n)->uses;
    return n;
  }
  static void release(NodeId n) {
    if (!n || --at(n)->uses) return;
    if (at(n)->height > 0)
      for (const NodeId c : at(n)->children) release(c);
    pool().give_back(n);
  }
  static NodeId above(NodeId n) {
    const NodeId up = pool().add(at(n)->height + 1);
    at(up)->children[0] = n;
    return up;
  }
  static NodeId copy(NodeId n) {
    const NodeId c = pool().add(0);
    *at(c) = *at(n);
    at(c)->uses = 1;
    if (at(c)->height > 0)
      for (const NodeId child : at(c)->children) retained(child);
    return c;
  }
  // In place of n, which nobody else has.
  static NodeId own(NodeId n) {
    if (at(n)->uses == 1) return n;
    const NodeId c = copy(n);
    release(n);
    return c;
  }
  // `a` itself if that has all, or has been changed, which it may be if it and all above it is `mine`; else a new
  // reference.
  static NodeId joined(NodeId a, NodeId b, bool mine, unsigned& more) {
    if (a == b) return a;
    if (!b) return more |= kMine, a;
    if (!a) return more |= kOther, retained(b);
    mine = mine && at(a)->uses == 1;
    unsigned here = 0;
    const NodeId to = at(a)->height == 0 ? joined_leaf(a, b, mine, here) : joined_inner(a, b, mine, here);
    more |= here;
    if (here != kOther) return to;
    if (to != a) release(to);
    return retained(b);
  }
  static NodeId joined_leaf(NodeId a, NodeId b, bool mine, unsigned& more) {
    const Node &one = *at(a), &other = *at(b);
    for (size_t i = 0; i < kLeaf; ++i)
      more |= (one.number[i] > other.number[i] ? kMine : 0) | (other.number[i] > one.number[i] ? kOther : 0);
    if (more != (kMine | kOther)) return a;
    const NodeId to = mine ? a : copy(a);
    for (size_t i = 0; i < kLeaf; ++i) at(to)->number[i] = std::max(at(to)->number[i], other.number[i]);
    return to;
  }
  static NodeId joined_inner(NodeId a, NodeId b, bool mine, unsigned& more) {
    NodeId to = a;
    for (size_t i = 0; i < kFan; ++i) {
      const NodeId before = at(to)->children[i];
      const NodeId child = joined(before, at(b)->children[i], mine, more);
      if (child == before) continue;
      if (to == a && !mine) to = copy(a);
      release(before);
      at(to)->children[i] = child;
    }
    return to;
  }

  NodeId root_ = 0;
};

}  // namespace cdr::races

#endif
