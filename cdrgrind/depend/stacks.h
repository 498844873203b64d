// SPDX-License-Identifier: GPL-2.0-or-later
// Stacks with their frames and SP, and the threads that visit them. A stack's frames are exactly those that
// the event stream has opened on it and not closed; frame 0 is its root.
#ifndef CDRGRIND_DEPEND_STACKS_H
#define CDRGRIND_DEPEND_STACKS_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"
#include "cdrgrind/depend/activation_tree.h"
#include "cdrgrind/depend/sp_history.h"

namespace cdr::depend {

struct Frame {
  static constexpr uint32_t kPartial = uint32_t{1} << 31;

  NodeIndex node = 0;
  uint32_t phase = 0;   // changes whenever what a key says of the frame's accesses may change
  uint32_t last = 0;    // BlockId of the last block; kPartial + CodeIndex of the last instruction; 0: none
  int32_t hidden = -1;  // position of the innermost hidden frame of the stack, up to this one
  bool named = false;
  bool lazy = false;  // in lazy binding
};

struct Stack {
  StackIndex index = 0;
  AddrRange range;
  SpHistory sp;         // only values within the range
  uint64_t raw_sp = 0;  // outside the range in code that switches stacks, until StackSwitch
  std::vector<Frame> frames;
  NodeIndex root = 0;         // of the top frame
  VisitIndex visit = 0;       // the last one
  bool under_hidden = false;  // a frame above the roots is hidden, in that visit
  bool shared = false;        // several threads ran on it
  uint32_t lazy_frames = 0;
  uint32_t thread = 0;  // that ran on it last

  // Threads that start on it, and StackSwitch, give it a root; until then, and when it is finished, it has no
  // frame.
  Frame& top() { return frames.back(); }
  const Frame& top() const { return frames.back(); }
  bool holds(uint64_t sp_value) const { return range.begin <= sp_value && sp_value <= range.end; }
};

struct ThreadState {
  Stack* stack = nullptr;  // the present one
  Stack* own = nullptr;    // the one that it started on
  VisitIndex created = 0;  // the first one, between ThreadCreate and ThreadStart
  struct Link {
    StackIndex stack;
    VisitIndex visit;
  };
  std::vector<Link> visits;  // outermost first; the last one is the present
  bool is_in_visit_of(StackIndex s) const {
    return std::any_of(visits.begin(), visits.end(), [s](const Link& l) { return l.stack == s; });
  }
};

class Stacks {
 public:
  Stacks() : stacks_(1) {}

  Stack* find(StackId id) {
    const StackIndex* i = index_.find(id.value);
    return i ? stacks_[*i].get() : nullptr;
  }
  Stack& add(StackId id) {
    Stack& s = add_nameless();
    index_[id.value] = s.index;
    return s;
  }
  Stack& add_nameless() {
    stacks_.push_back(std::make_unique<Stack>());
    stacks_.back()->index = static_cast<StackIndex>(stacks_.size() - 1);
    return *stacks_.back();
  }
  Stack& operator[](StackIndex i) { return *stacks_[i]; }
  const Stack& operator[](StackIndex i) const { return *stacks_[i]; }
  StackIndex end() const { return static_cast<StackIndex>(stacks_.size()); }  // indices are 1 .. end() - 1

  // Valid until the next new thread.
  ThreadState& thread(ThreadId id) {
    const auto [i, added] = thread_index_.insert(id.value);
    if (added) {
      *i = static_cast<uint32_t>(threads_.size());
      threads_.push_back({});
    }
    return threads_[*i];
  }
  std::vector<ThreadState>& threads() { return threads_; }

 private:
  std::vector<std::unique_ptr<Stack>> stacks_;
  FlatMap<uint32_t, StackIndex> index_;
  FlatMap<uint32_t, uint32_t> thread_index_;
  std::vector<ThreadState> threads_;
};

}  // namespace cdr::depend

#endif
