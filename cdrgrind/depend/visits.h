// SPDX-License-Identifier: GPL-2.0-or-later
// How threads came onto stacks. A *visit* begins when a thread starts, or when it switches to a stack on which it is
// not yet; it ends when the thread goes back to a stack of an earlier visit. Frames know their parents on their own
// stack only: what is above a stack's root depends on the visit (docs/dependences.md).
//
//     main ── resume ─switch─► generator         two visits of one stack: 10c and 12c in main
//     main ── resume ─switch─► generator
//
// A visit that can be seen by future accesses is *held*: by the thread that is in it, or by a visit inside it that is
// held. It pins the frame that it hangs from. Numbers grow from the outer to the inner visit; 0 is none.
#ifndef CDRGRIND_DEPEND_VISITS_H
#define CDRGRIND_DEPEND_VISITS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/depend/code_table.h"

namespace cdr::depend {

class ActivationTree;
using NodeIndex = uint32_t;
using VisitIndex = uint32_t;

struct Visit {
  NodeIndex parent = 0;  // the frame that the thread left, 0: none
  CodeIndex site = 0;    // there
  VisitIndex outer = 0;  // in which it was
  uint32_t thread = 0;
  uint32_t depth = 0;  // number of visits around it
  uint32_t holds = 0;
  bool hidden = false;        // a frame between `parent` and the stack, folded, is hidden
  bool under_hidden = false;  // so is that, or one above it; if held
  bool twice = false;         // a stack may occur twice on the way up
};

// A way up, as far as it has come: an anchor, how the thread came onto its stack, and what is seen from there of where
// the way began.
struct Way {
  NodeIndex node = 0;
  VisitIndex visit = 0;
  CodeIndex site = 0;  // unless it begins here
  bool begins = true;
  bool hidden = false;
};

class Visits {
 public:
  Visits() : visits_(1) {}

  VisitIndex add(NodeIndex parent, CodeIndex site, VisitIndex outer, uint32_t thread, bool twice);
  void hold(VisitIndex v, ActivationTree& tree);
  void release(VisitIndex v, ActivationTree& tree);
  const Visit& operator[](VisitIndex v) const { return visits_[v]; }
  // A frame that visits hang from has become hidden, or ceased to be.
  void spread_hidden(const ActivationTree& tree);

  // The same way further up, for accesses of this thread.
  VisitIndex as_of_thread(VisitIndex v, uint32_t thread);
  // Out of the stack, to the frame that its visit hangs from.
  void leave(Way& w) const {
    const Visit& v = visits_[w.visit];
    w.begins = false;
    w.site = v.site;
    w.hidden = w.hidden || v.hidden;
    w.node = v.parent;
    w.visit = v.outer;
  }

  // A sweep makes this table out of the references to another, of which `tree` is the tree and `nodes` its anchors'
  // new numbers. Of those that are not held equal ones become one.
  void start_move(const Visits& from) { moved_.assign(from.visits_.size(), 0); }
  VisitIndex moved(VisitIndex v, const Visits& from, ActivationTree& tree, std::span<const NodeIndex> nodes);
  void finish_move() { moved_.clear(); }

  uint32_t size() const { return static_cast<uint32_t>(visits_.size()); }
  void clear() {
    visits_.resize(1);
    equal_.clear();
  }
  size_t bytes() const {
    return visits_.capacity() * sizeof(Visit) + moved_.capacity() * sizeof(VisitIndex) + equal_.capacity_bytes();
  }

 private:
  struct Key {
    NodeIndex parent;
    CodeIndex site;
    VisitIndex outer;
    uint32_t thread;
    uint32_t hidden;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    uint64_t operator()(const Key& k) const {
      return mix64((uint64_t{k.parent} << 32 | k.site) + mix64(uint64_t{k.outer} << 32 | (k.thread << 1 | k.hidden)));
    }
  };
  VisitIndex add_once(const Visit& v);

  std::vector<Visit> visits_;
  std::vector<VisitIndex> moved_;  // by number in the other table; 0: not yet
  FlatMap<Key, VisitIndex, Hash> equal_;
};

}  // namespace cdr::depend

#endif
