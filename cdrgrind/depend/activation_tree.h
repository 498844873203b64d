// SPDX-License-Identifier: GPL-2.0-or-later
// One node per frame; the parent is the frame below which it lies on its stack, the site the address in the parent
// where it hangs. Roots have no parent: what is above them, the visits say (visits.h). The frame of a handler on an
// alternate signal stack is a root, too. An *anchor* is a node that can still be the nearest common ancestor of a
// future access: an open frame, or a closed one with a visit that is held somewhere below it. All ancestors of an
// anchor on its stack are anchors. Every other node is *folded*: it resolves to its nearest anchor and the site there
// (union-find with path compression; a link out of an anchor is never compressed), or out of its stack:
//
//     main ── f (call at 10, closed) ── g (call at 20, closed)      g resolves to (main, call at 10)
//
// An anchor counts in `pins` what keeps it one after it is closed: visits that are held, and closed nodes below it
// with pins of their own. Node ids grow from parent to child; 0 is no node.
#ifndef CDRGRIND_DEPEND_ACTIVATION_TREE_H
#define CDRGRIND_DEPEND_ACTIVATION_TREE_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/large_pages.h"
#include "cdrgrind/depend/code_table.h"
#include "cdrgrind/depend/visits.h"

namespace cdr::depend {

using StackIndex = uint32_t;  // 0 = no stack

enum NodeFlags : uint8_t {
  kNodeClosed = 1,
  kNodeHidden = 2,       // folded: itself or a node between it and the parent
  kNodeUnderHidden = 4,  // a node above, up to the root, is hidden (anchors only)
  kNodePins = 8,         // counts as a pin of its parent
  kNodeWatched = 16,     // an access of another stack saw whether it is hidden
  kNodeCanonical = 32,   // the one that stands for all folded ones with its anchor, site and hiddenness
  kNodeKnown = 64,       // folded: `position` is the canonical one, as long as the parent is an anchor
  kNodeNameSeen = 128,   // an access of another stack saw its name, too: it was the nearest common ancestor
};

struct Node {
  NodeIndex parent = 0;
  CodeIndex site = 0;
  CodeIndex function = 0;  // anchors only; of a canonical one see AccessContexts::folded()
  NodeIndex root = 0;      // the same
  uint32_t position = 0;   // index among its stack's frames; see also kNodeKnown
  uint32_t pins = 0;
  uint32_t number = 0;  // of an open frame: of what keys have of it as the ancestor (classifier.cc); 0: not known
  uint8_t flags = 0;

  bool anchor() const { return !(flags & kNodeClosed) || pins != 0; }
  bool open() const { return !(flags & kNodeClosed); }
  bool hidden() const { return flags & kNodeHidden; }
};

class ActivationTree {
 public:
  ActivationTree() : nodes_(1) {}

  NodeIndex open(NodeIndex parent, CodeIndex site, uint32_t position);
  NodeIndex open_root(uint32_t position);
  void close(NodeIndex n);
  // Keeps `n` an anchor until unpin().
  void pin(NodeIndex n) { ++nodes_[n].pins; }
  void unpin(NodeIndex n);
  // True if accesses of other frames may have used what changes now.
  bool name(NodeIndex n, CodeIndex function, bool hidden);

  // The anchor on its stack to which n belongs: itself, or its parent after compression; 0: there is none left.
  NodeIndex anchor_of(NodeIndex n) {
    if (nodes_[n].anchor()) return n;
    if (!nodes_[nodes_[n].parent].anchor()) compress(n);
    return nodes_[n].parent;
  }
  // On to the nearest anchor, if it is at none; 0 if there is none.
  void settle(Way& w);
  // To the next stack: every node that is passed is noted as watched.
  void leave_stack(Way& w);
  Visits& visits() { return visits_; }
  const Visits& visits() const { return visits_; }
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
  void clear() {
    nodes_.resize(1);
    visits_.clear();
  }
  size_t bytes() const { return nodes_.capacity() * sizeof(Node) + visits_.bytes(); }

 private:
  void compress(NodeIndex n);
  void spread_hidden();

  LargeVector<Node> nodes_;
  Visits visits_;
};

}  // namespace cdr::depend

#endif
