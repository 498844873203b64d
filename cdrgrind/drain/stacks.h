// SPDX-License-Identifier: GPL-2.0-or-later
// The shadow stacks: frames per stack, stacks per thread, by the rules of base/event.h. Says what a change of
// SP means (which stack, how many frames end); emits nothing itself.
//
// A stack that a program makes itself is, as a rule, a heap block or a mapping, and so are its bounds. A mapping may
// hold many of them (an array of stacks; the heap of a Go program): a second one shows when SP is loaded with a value
// at which the first one cannot have been left, or while another thread runs on that. From then on the bounds of both
// are what SP has shown, and any SP that is loaded, not added to, may belong to another stack.
#ifndef CDRGRIND_DRAIN_STACKS_H
#define CDRGRIND_DRAIN_STACKS_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"
#include "cdrgrind/drain/regions.h"

namespace cdr::drain {

// A signal's frame survives the handler's return to the restorer.
constexpr uint64_t kSignalFrameAbove = 8;  // bytes

struct Frame {
  uint64_t sp = ~uint64_t{0};  // the frame has ended when SP is above
  uint64_t ip = 0;             // of the call, or the instruction that the signal interrupted
  uint32_t code = 0;           // what named it last
  bool named = false;
  bool left_by_jump = false;  // the frame's last block
  uint8_t signal = 0;         // opened by SignalEnter: its number
  bool switched = false;      // … which had a StackSwitch of its own
  bool toggled = false;       // switched collection when it was named
  bool told = true;           // the stream knows that it was opened
  bool name_told = true;      // and what names it
};

// A synchronisation operation under way.
struct OpenSync {
  size_t frames;  // of the stack when it was entered, the last is the wrapper's; of one that outlives its call, fewer
  Sync sync;
};

// How the bounds of a stack are known.
enum class Bounds : uint8_t {
  kTold,   // those of a thread, registered, a heap block, an alternate signal stack
  kWhole,  // those of the mapping, as long as nothing shows that there are more stacks in it
  kSeen,   // there are: the bounds are where SP has been
};

struct Stack {
  StackId id;
  AddrRange range;
  ThreadId user;                       // the thread that runs on it now
  ThreadId last_user;                  // the one that ran on it last
  uint64_t used = 0;                   // when a thread switched to it last, in switches
  uint64_t left_sp = 0;                // where SP was when its thread left it
  std::vector<Frame> frames{Frame{}};  // frames[0] is the root, never closed
  std::vector<OpenSync> open;          // outermost first

  Frame& top() { return frames.back(); }
  Bounds bounds() const { return bounds_; }
  void set_bounds(AddrRange r, Bounds bounds) {
    range = r;
    bounds_ = bounds;
    quiet_ = bounds == Bounds::kSeen ? AddrRange{1, 0} : r;
  }
  // Whether a thread on it stays on it when SP moves there, without a question. Both ends count: SP of an empty stack
  // is its end.
  bool holds(uint64_t sp) const { return quiet_.begin <= sp && sp <= quiet_.end; }
  bool reaches(uint64_t sp) const { return range.begin <= sp && sp <= range.end; }
  // How many frames end when SP becomes `sp`; with `equal` also those whose sp is just it (a call).
  uint32_t ended_at(uint64_t sp, bool equal) const {
    uint32_t n = 0;
    for (size_t i = frames.size() - 1; i > 0; --i, ++n)
      if (frames[i].sp > sp || (frames[i].sp == sp && !equal)) break;
    return n;
  }

 private:
  Bounds bounds_ = Bounds::kTold;
  AddrRange quiet_;
};

class Stacks {
 public:
  Stack& add(AddrRange range, Bounds bounds);
  // The newest stack with exactly this range, or null.
  Stack* find(AddrRange range);
  // The one on which the thread goes on that has loaded this SP: nobody else runs on it, and SP is where it can have
  // been left. With `at_end` one whose end it is. Null if there is none. Notes where a mapping turns out to hold more
  // than one.
  Stack* resumed_at(uint64_t sp, ThreadId thread, bool at_end);
  // A stack that is not known yet, in this place.
  Stack& add_at(uint64_t sp, const Regions::Surroundings& place);
  // Whether a thread that was at `from` and loads this SP stays on the stack, whose bounds are what was seen.
  bool stays(const Stack& s, uint64_t from, uint64_t sp);
  // Widens what was seen of it. False: it was seen before.
  bool widen(Stack& s, uint64_t sp);
  // That of a thread which starts there: `range` ends where its frames can be.
  Stack& add_of_thread(uint64_t sp, AddrRange range, const Regions::Surroundings& place);

  // In the order of creation.
  auto begin() const { return stacks_.begin(); }
  auto end() const { return stacks_.end(); }
  // Forgets all others; these get new numbers.
  void keep(std::span<Stack* const> these);
  // Its memory was given back: a later stack at this place is a new one. A thread that frees its own stack
  // still runs on it for a moment.
  void retire(AddrRange gone);
  // Its thread has ended.
  void retire(Stack& s);

 private:
  bool any_in(AddrRange r) const;
  Stack* seen_at(uint64_t sp);
  void see_only(Stack& s);
  void sort_in(Stack& s);
  void take_out(const Stack& s);

  std::vector<std::unique_ptr<Stack>> stacks_;
  std::vector<Stack*> seen_;  // those with Bounds::kSeen, by range.end
};

}  // namespace cdr::drain

#endif
