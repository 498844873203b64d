// SPDX-License-Identifier: GPL-2.0-or-later
// The shadow stacks: frames per stack, stacks per thread, by the rules of base/event.h. Says what a change of
// SP means (which stack, how many frames end); emits nothing itself.
#ifndef CDRGRIND_DRAIN_STACKS_H
#define CDRGRIND_DRAIN_STACKS_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"

namespace cdr::drain {

struct Frame {
  uint64_t sp = ~uint64_t{0};  // the frame has ended when SP is above
  uint64_t ip = 0;             // of the call, or the instruction that the signal interrupted
  uint32_t code = 0;           // what named it last
  bool named = false;
  bool left_by_jump = false;  // the frame's last block
  uint8_t signal = 0;         // opened by SignalEnter: its number
  bool toggled = false;       // switched collection when it was named
  bool told = true;           // the stream knows that it was opened
  bool name_told = true;      // and what names it
};

// A synchronisation operation under way.
struct OpenSync {
  size_t frames;  // of the stack when it was entered: the last is the wrapper's
  Sync sync;
};

struct Stack {
  StackId id;
  AddrRange range;
  ThreadId user;                       // the thread that runs on it now
  ThreadId last_user;                  // the one that ran on it last
  uint64_t used = 0;                   // when a thread switched to it last, in switches
  std::vector<Frame> frames{Frame{}};  // frames[0] is the root, never closed
  std::vector<OpenSync> open;          // outermost first

  Frame& top() { return frames.back(); }
  // Both ends count: SP of an empty stack is its end.
  bool holds(uint64_t sp) const { return range.begin <= sp && sp <= range.end; }
  // How many frames end when SP becomes `sp`; with `equal` also those whose sp is just it (a call).
  uint32_t ended_at(uint64_t sp, bool equal) const {
    uint32_t n = 0;
    for (size_t i = frames.size() - 1; i > 0; --i, ++n)
      if (frames[i].sp > sp || (frames[i].sp == sp && !equal)) break;
    return n;
  }
};

class Stacks {
 public:
  Stack& add(AddrRange range) {
    stacks_.push_back(std::make_unique<Stack>());
    stacks_.back()->id = StackId(static_cast<uint32_t>(stacks_.size()));
    stacks_.back()->range = range;
    return *stacks_.back();
  }
  // The newest stack with exactly this range, or null.
  Stack* find(AddrRange range) {
    for (auto s = stacks_.rbegin(); s != stacks_.rend(); ++s)
      if ((*s)->range == range) return s->get();
    return nullptr;
  }
  // The newest stack that contains sp, or with `end_too` may have it as its end; null if there is none.
  Stack* holding(uint64_t sp, bool end_too) {
    for (auto s = stacks_.rbegin(); s != stacks_.rend(); ++s)
      if (end_too ? (*s)->holds(sp) && !(*s)->range.empty() : (*s)->range.contains(sp)) return s->get();
    return nullptr;
  }
  // In the order of creation.
  auto begin() const { return stacks_.begin(); }
  auto end() const { return stacks_.end(); }
  // Forgets all others; these get new numbers.
  void keep(std::span<Stack* const> these) {
    std::vector<std::unique_ptr<Stack>> kept;
    for (Stack* const wanted : these)
      for (auto& s : stacks_)
        if (s.get() == wanted) kept.push_back(std::move(s));
    stacks_ = std::move(kept);
    for (size_t i = 0; i < stacks_.size(); ++i) stacks_[i]->id = StackId(static_cast<uint32_t>(i + 1));
  }
  // Its memory was given back: a later stack at this place is a new one. A thread that frees its own stack
  // still runs on it for a moment.
  void retire(AddrRange gone) {
    for (auto& s : stacks_)
      if (!s->user && !s->range.empty() && gone.begin <= s->range.begin && s->range.end <= gone.end) s->range = {};
  }

 private:
  std::vector<std::unique_ptr<Stack>> stacks_;
};

}  // namespace cdr::drain

#endif
