// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of labels, hash-consed: equal sets are one, with one number, so a shadow holds a number for each byte, and to
// unite two sets that were united before takes a look into a table. A set is a Patricia tree (Okasaki and Gill 1998)
// of bitmaps: sets that differ in a few labels share all but the ways to these.
//
// What is known for sure and what is known only weakly is kept apart: Labels is the number of a pair of sets. A label
// may be in both; then it is known.
#ifndef CDRGRIND_ANALYSIS_SLICE_LABEL_SETS_H
#define CDRGRIND_ANALYSIS_SLICE_LABEL_SETS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/flat_map.h"

namespace cdr::slice {

using LabelId = uint32_t;

// Sets are numbered from 1; 0 is the empty one.
class LabelSets {
 public:
  using Set = uint32_t;

  Set single(LabelId label);
  Set unite(Set a, Set b);
  bool has(Set s, LabelId label) const;
  // f(label), ascending.
  template <class F>
  void for_each(Set s, F f) const {
    if (s == 0) return;
    const Node& n = nodes_[s];
    if (n.bit != kLeaf) {
      for_each(n.left, f);
      for_each(n.right, f);
      return;
    }
    for (uint64_t bits = bits_of(n); bits != 0; bits &= bits - 1)
      f(n.prefix * 64 + static_cast<LabelId>(__builtin_ctzll(bits)));
  }
  // What they take, in nodes of trees.
  size_t size() const { return nodes_.size() - 1; }

 private:
  static constexpr uint32_t kLeaf = 32;
  // A leaf: the labels 64 * prefix …, a bitmap in `left` and `right`. Else what is below has the bits of `prefix` above
  // `bit`, and goes left where that bit is 0.
  struct Node {
    uint32_t prefix = 0, bit = 0;
    uint32_t left = 0, right = 0;
    bool operator==(const Node&) const = default;
  };
  struct NodeHash {
    uint64_t operator()(const Node& n) const {
      return mix64(mix64((uint64_t{n.left} << 32 | n.right) + n.bit) ^ n.prefix);
    }
  };
  struct United {
    Set a = 0, b = 0, both = 0;
  };
  static constexpr size_t kUnited = 1 << 14;

  static uint64_t bits_of(const Node& n) { return uint64_t{n.right} << 32 | n.left; }
  static uint32_t above(uint32_t prefix, uint32_t bit) { return prefix & ~((uint32_t{2} << bit) - 1); }
  // What is below the node has these bits.
  static bool holds(const Node& n, uint32_t prefix) { return n.bit != kLeaf && above(prefix, n.bit) == n.prefix; }
  Set intern(const Node& n);
  Set leaf(uint32_t prefix, uint64_t bits);
  Set join(Set a, Set b);
  Set unite_new(Set a, Set b);
  Set unite_below(Set upper, Set lower);

  std::vector<Node> nodes_{1};
  FlatMap<Node, Set, NodeHash> ids_;
  std::vector<United> united_{kUnited};  // the last ones, by hash
};

using Labels = uint32_t;

class LabelTable {
 public:
  // `most`: nodes and pairs that there may be.
  explicit LabelTable(size_t most) : most_(most) {}

  Labels single(LabelId label) { return pair(sets_.single(label), 0); }
  Labels unite(Labels a, Labels b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    return unite_new(a, b);
  }
  // All of them, known weakly.
  Labels weaken(Labels a) {
    if (a == 0 || pairs_[a].known == 0) return a;
    return pair(0, sets_.unite(pairs_[a].known, pairs_[a].weak));
  }
  // What is made of the one is like what is made of the other.
  static bool alike(Labels a, Labels b) { return a == b; }
  // Steps are not kept.
  template <class F>
  Labels step(Labels a, F) const {
    return a;
  }
  LabelSets::Set known(Labels a) const { return pairs_[a].known; }
  LabelSets::Set weak(Labels a) const { return pairs_[a].weak; }
  const LabelSets& sets() const { return sets_; }
  // There are too many: from now on nothing is told.
  bool full() const { return size() > most_; }
  size_t size() const { return sets_.size() + pairs_.size() - 1; }

 private:
  struct Pair {
    LabelSets::Set known = 0, weak = 0;
  };
  Labels pair(LabelSets::Set known, LabelSets::Set weak);
  Labels unite_new(Labels a, Labels b);

  size_t most_;
  LabelSets sets_;
  std::vector<Pair> pairs_{1};
  FlatMap<uint64_t, Labels> ids_;
};

}  // namespace cdr::slice

#endif
