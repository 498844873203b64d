// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of frames: the shadow stacks, computed again from the blocks and their SP by the rules of
// base/event.h, and compared with the brackets in the stream.
//
// A block is followed by what it causes, in this order: StackSwitch, Pop, Call or Return. see() notes what
// the block should cause and strikes it off while the events come. A signal brings a StackSwitch and a Pop of
// its own: one that the block does not explain is a violation only if no SignalEnter or SignalLeave follows.
// After a violation the stream is believed, so that one mistake is reported once. In gaps there are no
// blocks: only the brackets are compared.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_FRAMES_H
#define CDRGRIND_TRACE_CHECK_CHECK_FRAMES_H

#include <map>
#include <optional>
#include <vector>

#include "cdrgrind/trace/check/check_report.h"

namespace cdr::trace {

class CheckFrames final : public StreamCheck {
 public:
  CheckFrames(const BlockTable& blocks, CheckReport& report) : blocks_(blocks), report_(report) {}
  void see(const Sight& s) override;

 private:
  struct Frame {
    uint64_t sp = ~uint64_t{0};  // the root's
    bool signal = false;
  };
  using Stack = std::vector<Frame>;

  // What the block before has yet to cause.
  struct Expected {
    bool open = false;  // a block was the cause, nothing but a StackSwitch since
    ExitKind kind = ExitKind::kFallThrough;
    StackId stack;
    uint64_t sp = 0;
    uint64_t call_ip = 0;
    std::optional<uint64_t> push;  // where a call stores the address it returns to, if the block's words say it
    bool sp_known = false;
    bool sp_rose = false;
    bool switched = false;    // a StackSwitch came
    bool pops_known = false;  // `pops` counts what is still to come
    uint32_t pops = 0;
    bool closes = false;  // then a Return
  };

  // A StackSwitch or Pop that is wrong unless it belongs to a signal.
  struct Doubt {
    std::string_view invariant;
    uint64_t event = 0;
    std::string seen;
  };

  void settle_doubts(const Sight& s);
  void after_block(const Sight& s);
  void count_pops(const Stack& stack);
  void settle(const Sight& s);
  void pop(const Sight& s, Stack& stack);
  void signal_enter(const Sight& s, Stack& stack);
  void call(const Sight& s, Stack& stack);
  void returned(const Sight& s, Stack& stack);
  void signal_leave(const Sight& s, Stack& stack);
  void stack_switch(const Sight& s);
  std::string wrong_sp(const Sight& s) const;
  void compare_sp(const Sight& s);
  void close(const Sight& s, Stack& stack, uint32_t n);
  Stack& stack_of(const Sight& s);

  const BlockTable& blocks_;
  CheckReport& report_;
  std::map<StackId, Stack> stacks_;
  Expected expected_;
  std::vector<Doubt> doubts_;
  uint64_t popped_sp_ = 0;  // highest of the frames closed by the Pop directly before, 0 if there was none
};

}  // namespace cdr::trace

#endif
