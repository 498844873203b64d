// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers by index, of which many copies differ little: a tree whose nodes are shared by all copies that have them
// alike. To copy is to count; to change or join one number costs a path, however many there are. A million strands that
// end one after the other each pass on one number more.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_TREE_H
#define CDRGRIND_ANALYSIS_RACES_CORE_CLOCK_TREE_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace cdr::races {

class ClockTree {
 public:
  static constexpr size_t kLeaf = 32, kFan = 16;
  // Of height 0 the numbers themselves. A node has the same indices in all trees that it is in.
  struct Node {
    uint32_t uses = 1;
    uint32_t height = 0;
    union {
      std::array<uint32_t, kLeaf> number;
      std::array<Node*, kFan> child;
    };
    explicit Node(uint32_t h) : height(h) {
      if (h == 0)
        number.fill(0);
      else
        child.fill(nullptr);
    }
    // Indices below it.
    static uint64_t span(uint32_t height) { return uint64_t{kLeaf} << (4 * height); }
  };

  ClockTree() = default;
  ClockTree(const ClockTree& other) : root_(retained(other.root_)) {}
  ClockTree(ClockTree&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  ClockTree& operator=(ClockTree other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~ClockTree() { release(root_); }

  bool empty() const { return !root_; }
  const Node* root() const { return root_; }
  // Of one origin; others may have equal numbers, too.
  bool same(const ClockTree& other) const { return root_ == other.root_; }
  uint32_t operator[](uint64_t i) const {
    const Node* n = root_;
    if (!n || i >= Node::span(n->height)) return 0;
    while (n && n->height > 0) n = n->child[index_in(n, i)];
    return n ? n->number[i % kLeaf] : 0;
  }
  void set(uint64_t i, uint32_t n) {
    if ((*this)[i] == n) return;
    if (!root_) root_ = new Node(0);
    while (i >= Node::span(root_->height)) root_ = above(root_);
    Node* at = root_ = own(root_);
    while (at->height > 0) {
      Node*& child = at->child[index_in(at, i)];
      at = child = child ? own(child) : new Node(at->height - 1);
    }
    at->number[i % kLeaf] = n;
  }
  // The greater of both, each; true if any grew. Where one of both has all of it, its nodes are taken.
  bool join(const ClockTree& other) {
    if (!other.root_ || root_ == other.root_) return false;
    if (!root_) {
      root_ = retained(other.root_);
      return true;
    }
    while (root_->height < other.root_->height) root_ = above(root_);
    Node* with = retained(other.root_);
    while (with->height < root_->height) with = above(with);
    unsigned more = 0;
    Node* const all = joined(root_, with, true, more);
    if (all != root_) {
      release(root_);
      root_ = all;
    }
    release(with);
    return more & kOther;
  }

 private:
  static constexpr unsigned kMine = 1, kOther = 2;  // who has a greater number somewhere

  static size_t index_in(const Node* n, uint64_t i) { return (i / Node::span(n->height - 1)) % kFan; }
  static Node* retained(Node* n) {
    if (n) ++n->uses;
    return n;
  }
  static void release(Node* n) {
    if (!n || --n->uses) return;
    if (n->height > 0)
      for (Node* c : n->child) release(c);
    delete n;
  }
  static Node* above(Node* n) {
    Node* const up = new Node(n->height + 1);
    up->child[0] = n;
    return up;
  }
  static Node* copy(const Node* n) {
    Node* const c = new Node(*n);
    c->uses = 1;
    if (c->height > 0)
      for (Node* child : c->child) retained(child);
    return c;
  }
  // In place of n, which nobody else has.
  static Node* own(Node* n) {
    if (n->uses == 1) return n;
    Node* const c = copy(n);
    release(n);
    return c;
  }
  // `a` itself if that has all, or has been changed, which it may be if it and all above it is `mine`; else a new
  // reference.
  static Node* joined(Node* a, Node* b, bool mine, unsigned& more) {
    if (a == b) return a;
    if (!b) return more |= kMine, a;
    if (!a) return more |= kOther, retained(b);
    mine = mine && a->uses == 1;
    unsigned here = 0;
    Node* to = a->height == 0 ? joined_leaf(a, b, mine, here) : joined_inner(a, b, mine, here);
    more |= here;
    if (here != kOther) return to;
    if (to != a) release(to);
    return retained(b);
  }
  static Node* joined_leaf(Node* a, const Node* b, bool mine, unsigned& more) {
    for (size_t i = 0; i < kLeaf; ++i)
      more |= (a->number[i] > b->number[i] ? kMine : 0) | (b->number[i] > a->number[i] ? kOther : 0);
    if (more != (kMine | kOther)) return a;
    Node* const to = mine ? a : copy(a);
    for (size_t i = 0; i < kLeaf; ++i) to->number[i] = std::max(a->number[i], b->number[i]);
    return to;
  }
  static Node* joined_inner(Node* a, const Node* b, bool mine, unsigned& more) {
    Node* to = a;
    for (size_t i = 0; i < kFan; ++i) {
      Node* const child = joined(to->child[i], b->child[i], mine, more);
      if (child == to->child[i]) continue;
      if (to == a && !mine) to = copy(a);
      release(to->child[i]);
      to->child[i] = child;
    }
    return to;
  }

  Node* root_ = nullptr;
};

}  // namespace cdr::races

#endif
