// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/label_sets.h"

#include <utility>

namespace cdr::slice {

LabelSets::Set LabelSets::intern(const Node& n) {
  const auto [id, added] = ids_.insert(n);
  if (added) {
    *id = static_cast<Set>(nodes_.size());
    nodes_.push_back(n);
  }
  return *id;
}

LabelSets::Set LabelSets::leaf(uint32_t prefix, uint64_t bits) {
  return intern({prefix, kLeaf, static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
}

LabelSets::Set LabelSets::single(LabelId label) { return leaf(label / 64, uint64_t{1} << (label % 64)); }

// Of two that have nothing in common, as one lies beside the other.
LabelSets::Set LabelSets::join(Set a, Set b) {
  const uint32_t in_a = nodes_[a].prefix, in_b = nodes_[b].prefix;
  const auto bit = static_cast<uint32_t>(31 - __builtin_clz(in_a ^ in_b));
  if (in_a >> bit & 1) std::swap(a, b);
  return intern({above(in_a, bit), bit, a, b});
}

LabelSets::Set LabelSets::unite(Set a, Set b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) std::swap(a, b);
  const size_t at = mix64(uint64_t{a} << 32 | b) % kUnited;
  if (united_[at].a == a && united_[at].b == b) return united_[at].both;
  const Set both = unite_new(a, b);
  united_[at] = {a, b, both};
  return both;
}

LabelSets::Set LabelSets::unite_new(Set a, Set b) {
  const Node x = nodes_[a], y = nodes_[b];
  if (x.bit == kLeaf && y.bit == kLeaf)
    return x.prefix == y.prefix ? leaf(x.prefix, bits_of(x) | bits_of(y)) : join(a, b);
  if (x.bit == y.bit && x.prefix == y.prefix) {
    const Set left = unite(x.left, y.left), right = unite(x.right, y.right);
    return intern({x.prefix, x.bit, left, right});
  }
  if (holds(x, y.prefix) && (y.bit == kLeaf || y.bit < x.bit)) return unite_below(a, b);
  if (holds(y, x.prefix) && (x.bit == kLeaf || x.bit < y.bit)) return unite_below(b, a);
  return join(a, b);
}

LabelSets::Set LabelSets::unite_below(Set upper, Set lower) {
  Node n = nodes_[upper];
  if (nodes_[lower].prefix >> n.bit & 1) {
    const Set right = unite(n.right, lower);
    n.right = right;
  } else {
    const Set left = unite(n.left, lower);
    n.left = left;
  }
  return intern(n);
}

bool LabelSets::has(Set s, LabelId label) const {
  const uint32_t prefix = label / 64;
  while (s != 0) {
    const Node& n = nodes_[s];
    if (n.bit == kLeaf) return n.prefix == prefix && (bits_of(n) >> (label % 64) & 1);
    if (!holds(n, prefix)) return false;
    s = prefix >> n.bit & 1 ? n.right : n.left;
  }
  return false;
}

Labels LabelTable::pair(LabelSets::Set known, LabelSets::Set weak) {
  if (known == 0 && weak == 0) return 0;
  const auto [id, added] = ids_.insert(uint64_t{known} << 32 | weak);
  if (added) {
    *id = static_cast<Labels>(pairs_.size());
    pairs_.push_back({known, weak});
  }
  return *id;
}

Labels LabelTable::unite_new(Labels a, Labels b) {
  const Pair x = pairs_[a], y = pairs_[b];
  const LabelSets::Set known = sets_.unite(x.known, y.known);
  return pair(known, sets_.unite(x.weak, y.weak));
}

}  // namespace cdr::slice
