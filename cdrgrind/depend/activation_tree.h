// SPDX-License-Identifier: GPL-2.0-or-later
// One node per frame; the parent is the frame that it hangs from, the site the address in the parent where it
// hangs. An *anchor* is a node that can still be the nearest common ancestor of a future access: an open
// frame, or a closed one with the root of a stack that is not finished somewhere below it. All ancestors of an
// anchor are anchors. Every other node is *folded*: it resolves to its nearest anchor and the site there
// (union-find with path compression; a link out of an anchor is never compressed):
//
//     main ── f (call at 10, closed) ── g (call at 20, closed)      g resolves to (main, call at 10)
//
// An anchor counts in `pins` the nodes below it that keep it one after it is closed: roots of other stacks,
// and closed nodes with pins of their own. Node ids grow from parent to child; 0 is no node.
#ifndef CDRGRIND_DEPEND_ACTIVATION_TREE_H
#define CDRGRIND_DEPEND_ACTIVATION_TREE_H

#include <cstdint>
#include <vector>

#include "cdrgrind/depend/code_table.h"

namespace cdr::depend {

using NodeIndex = uint32_t;
using StackIndex = uint32_t;  // 0 = no stack

enum NodeFlags : uint8_t {
  kNodeClosed = 1,
  kNodeHidden = 2,       // folded: itself or a node between it and the parent
  kNodeUnderHidden = 4,  // a node above is hidden (anchors only)
  kNodePins = 8,         // counts as a pin of its parent
  kNodeWatched = 16,     // an access of another stack saw its name or whether it is hidden
  kNodeCanonical = 32,   // the one that stands for all folded ones with its anchor, site and hiddenness
  kNodeKnown = 64,       // folded: `position` is the canonical one, as long as the parent is an anchor
};

struct Node {
  NodeIndex parent = 0;
  CodeIndex site = 0;
  CodeIndex function = 0;  // anchors only
  StackIndex stack = 0;
  uint32_t position = 0;  // index among its stack's frames; see also kNodeKnown
  uint32_t depth = 0;     // anchors: distance from the main thread's root
  uint32_t pins = 0;
  uint8_t flags = 0;

  bool anchor() const { return !(flags & kNodeClosed) || pins != 0; }
  bool open() const { return !(flags & kNodeClosed); }
  bool hidden() const { return flags & kNodeHidden; }
};

class ActivationTree {
 public:
  ActivationTree() : nodes_(1) {}

  NodeIndex open(NodeIndex parent, CodeIndex site, StackIndex stack, uint32_t position);
  void close(NodeIndex n);
  // Keeps `n` an anchor until unpin().
  void pin(NodeIndex n) { ++nodes_[n].pins; }
  void unpin(NodeIndex n);
  // A root counts as a pin of the node that it hangs from; `pin` has been called for it already.
  void set_pinning(NodeIndex root) { nodes_[root].flags |= kNodePins; }
  // True if accesses of other frames may have used what changes now.
  bool name(NodeIndex n, CodeIndex function, bool hidden);

  // The anchor to which n belongs: itself, or its parent after compression.
  NodeIndex anchor_of(NodeIndex n) {
    if (nodes_[n].anchor()) return n;
    if (!nodes_[nodes_[n].parent].anchor()) compress(n);
    return nodes_[n].parent;
  }
  // A folded node as a sweep makes it.
  NodeIndex add_folded(NodeIndex anchor, CodeIndex site, bool hidden);
  NodeIndex add_copy(const Node& n) {
    nodes_.push_back(n);
    return static_cast<NodeIndex>(nodes_.size() - 1);
  }

  Node& operator[](NodeIndex n) { return nodes_[n]; }
  const Node& operator[](NodeIndex n) const { return nodes_[n]; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  // Empty again; keeps its memory.
  void clear() { nodes_.resize(1); }
  size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

 private:
  void compress(NodeIndex n);
  void spread_hidden();

  std::vector<Node> nodes_;
};

}  // namespace cdr::depend

#endif
