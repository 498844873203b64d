// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/activation_tree.h"

namespace cdr::depend {

NodeIndex ActivationTree::open(NodeIndex parent, CodeIndex site, uint32_t position) {
  const Node& p = nodes_[parent];
  Node n;
  n.parent = parent;
  n.site = site;
  n.root = p.root;
  n.position = position;
  if (p.flags & (kNodeHidden | kNodeUnderHidden)) n.flags = kNodeUnderHidden;
  nodes_.push_back(n);
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

NodeIndex ActivationTree::open_root(uint32_t position) {
  Node n;
  n.root = static_cast<NodeIndex>(nodes_.size());
  n.position = position;
  nodes_.push_back(n);
  return n.root;
}

NodeIndex ActivationTree::add_folded(NodeIndex anchor, CodeIndex site, bool hidden) {
  Node n;
  n.parent = anchor;
  n.root = nodes_[anchor].root;
  n.site = site;
  n.flags = static_cast<uint8_t>(kNodeClosed | kNodeCanonical | (hidden ? kNodeHidden : 0));
  return add_copy(n);
}

void ActivationTree::close(NodeIndex n) {
  Node& node = nodes_[n];
  node.flags |= kNodeClosed;
  if (node.pins == 0) return;
  node.flags |= kNodePins;
  if (node.parent) pin(node.parent);
}

void ActivationTree::unpin(NodeIndex n) {
  while (n != 0) {
    Node& node = nodes_[n];
    if (--node.pins != 0 || node.open() || !(node.flags & kNodePins)) return;
    node.flags &= static_cast<uint8_t>(~kNodePins);
    n = node.parent;
  }
}

void ActivationTree::settle(Way& w) {
  while (w.node != 0 && !nodes_[w.node].anchor()) {
    const NodeIndex anchor = anchor_of(w.node);
    const Node& folded = nodes_[w.node];
    w.begins = false;
    w.site = folded.site;
    w.hidden = w.hidden || folded.hidden();
    w.node = anchor;
    if (anchor != 0) return;
    visits_.leave(w);
  }
}

void ActivationTree::leave_stack(Way& w) {
  for (NodeIndex n = w.node; n != 0; n = nodes_[n].parent) {
    w.hidden = w.hidden || nodes_[n].hidden();
    nodes_[n].flags |= kNodeWatched;
  }
  visits_.leave(w);
  settle(w);
}

// Points n, and the folded nodes on its way, at the anchor. The first pass turns the links round, so that
// the second can come back from the top without a stack.
void ActivationTree::compress(NodeIndex n) {
  NodeIndex below = 0;
  NodeIndex at = n;
  while (!nodes_[nodes_[at].parent].anchor()) {
    const NodeIndex up = nodes_[at].parent;
    nodes_[at].parent = below;
    below = at;
    at = up;
  }
  const Node& top = nodes_[at];
  CodeIndex site = top.site;
  uint8_t hidden = top.flags & kNodeHidden;
  const NodeIndex anchor = top.parent;
  while (below != 0) {
    Node& node = nodes_[below];
    const NodeIndex next = node.parent;
    hidden |= node.flags & kNodeHidden;
    node.parent = anchor;
    node.site = site;
    node.flags = static_cast<uint8_t>((node.flags & ~(kNodeCanonical | kNodeKnown)) | hidden);
    below = next;
  }
}

bool ActivationTree::name(NodeIndex n, CodeIndex function, bool hidden) {
  Node& node = nodes_[n];
  const bool hidden_changes = node.hidden() != hidden;
  const uint8_t concerned = (hidden_changes ? kNodeWatched : 0) | (node.function != function ? kNodeNameSeen : 0);
  node.function = function;
  node.flags = static_cast<uint8_t>((node.flags & ~kNodeHidden) | (hidden ? kNodeHidden : 0));
  if (hidden_changes && node.pins != 0) {
    spread_hidden();
    visits_.spread_hidden(*this);
    return true;
  }
  return node.flags & concerned;
}

// Nodes that are kept hang below one that has just become hidden, or ceased to be.
void ActivationTree::spread_hidden() {
  for (Node& n : nodes_) {
    if (!n.anchor() || n.parent == 0) continue;
    const bool under = nodes_[n.parent].flags & (kNodeHidden | kNodeUnderHidden);
    n.flags = static_cast<uint8_t>((n.flags & ~kNodeUnderHidden) | (under ? kNodeUnderHidden : 0));
  }
}

}  // namespace cdr::depend
