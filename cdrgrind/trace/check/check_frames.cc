// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_frames.h"

#include "cdrgrind/encode/thread_model.h"

namespace cdr::trace {
namespace {

// The restorer behind a handler runs in the signal's frame: a return from the handler does not close it.
constexpr uint64_t kReturnAddressBytes = 8;

std::string count_text(uint64_t n) { return std::to_string(n) + (n == 1 ? " frame" : " frames"); }

}  // namespace

CheckFrames::Stack& CheckFrames::stack_of(const Sight& s) {
  Stack& stack = stacks_[s.before.stack(s.e.thread)];
  if (stack.empty()) stack.push_back(Frame{});
  return stack;
}

void CheckFrames::see(const Sight& s) {
  Stack& stack = stack_of(s);
  settle_doubts(s);
  switch (s.e.kind) {
    case EventKind::kStackSwitch:
      return stack_switch(s);
    case EventKind::kPop:
      return pop(s, stack);
    case EventKind::kCall:
      call(s, stack);
      break;
    case EventKind::kReturn:
      returned(s, stack);
      break;
    case EventKind::kSignalEnter:
      signal_enter(s, stack);
      break;
    case EventKind::kSignalLeave:
      signal_leave(s, stack);
      break;
    default:
      settle(s);
  }
  popped_sp_ = 0;
  if (s.e.kind == EventKind::kBlock) after_block(s);
  if (s.e.kind == EventKind::kThreadStart) stacks_[s.e.stack] = {Frame{}};
}

void CheckFrames::settle_doubts(const Sight& s) {
  const EventKind kind = s.e.kind;
  if (doubts_.empty() || kind == EventKind::kStackSwitch || kind == EventKind::kPop) return;
  const bool signal = kind == EventKind::kSignalEnter || kind == EventKind::kSignalLeave;
  if (!signal)
    for (Doubt& d : doubts_) report_.add(d.invariant, d.event, std::move(d.seen));
  doubts_.clear();
}

void CheckFrames::after_block(const Sight& s) {
  if (s.before.in_gap(s.e.thread)) return;
  if (!s.before.thread(s.e.thread).sp_known)
    report_.add("sp-told-after-gap", s.index, "SP of thread " + std::to_string(s.e.thread.value) + " is not known");
  const Exit& exit = blocks_.exit_of(s.e.block);
  const Superblock& sb = blocks_.superblock_of(s.e.block);
  const ThreadState& t = s.before.thread(s.e.thread);
  expected_ = Expected{};
  expected_.open = true;
  expected_.kind = exit.kind;
  expected_.stack = t.stack;
  expected_.sp = sp_behind(s.e, blocks_, t.sp);
  expected_.sp_known = t.sp_known;
  expected_.sp_rose = expected_.sp > t.sp;
  expected_.call_ip = exit_addr(sb, exit);
  if (const Push push = push_of(blocks_, s.e.block); push.slot != 0 && push.slot <= s.e.words.size())
    expected_.push = s.e.words[push.slot - 1u] + static_cast<uint64_t>(push.constant);
}

// How many frames of the stack SP has left, when the first event after the block shows which stack it is.
void CheckFrames::count_pops(const Stack& stack) {
  if (!expected_.open || expected_.pops_known) return;
  const bool calls = is_call(expected_.kind);
  uint32_t n = 0;
  for (size_t i = stack.size() - 1; i > 0; --i, ++n)
    if (stack[i].sp > expected_.sp || (stack[i].sp == expected_.sp && !calls)) break;
  expected_.closes = expected_.kind == ExitKind::kReturn && n > 0;
  expected_.pops = expected_.closes ? n - 1 : n;
  expected_.pops_known = true;
}

// The event is none that the block could cause: all must have come.
void CheckFrames::settle(const Sight& s) {
  if (!expected_.open) return;
  count_pops(stacks_[expected_.stack]);
  const Expected now = expected_;
  expected_.open = false;
  if (!now.sp_known) return;
  if (is_call(now.kind)) return report_.add("call-after-call-exit", s.index, "no Call after a call to here");
  if (now.closes) return report_.add("return-after-return-exit", s.index, "no Return after a return that ends a frame");
  // Only a rise of SP makes the recorder look: a place reached with frames already left is settled later.
  if (now.pops > 0 && now.sp_rose)
    report_.add("pop-count-exact", s.index, "no Pop where " + count_text(now.pops) + " ended");
}

void CheckFrames::pop(const Sight& s, Stack& stack) {
  count_pops(stack);
  const bool wrong = expected_.open ? expected_.sp_known && s.e.count != expected_.pops : true;
  if (wrong && !s.before.in_gap(s.e.thread)) {
    const uint32_t right = expected_.open ? expected_.pops : 0;
    doubts_.push_back(
        {"pop-count-exact", s.index, "Pop of " + count_text(s.e.count) + " where " + count_text(right) + " ended"});
  }
  expected_.pops = 0;
  if (expected_.open && !is_call(expected_.kind) && !expected_.closes) expected_.open = false;
  const size_t lowest = s.e.count < stack.size() ? stack.size() - s.e.count : 1;
  popped_sp_ = lowest < stack.size() ? stack[lowest].sp : 0;
  close(s, stack, s.e.count);
}

// A handler's frame lies below all others of its stack; what it finds there above its SP has been left.
void CheckFrames::signal_enter(const Sight& s, Stack& stack) {
  if (expected_.switched) expected_.open = false;  // to which of both did it belong?
  settle(s);
  const uint64_t sp = s.e.sp + kReturnAddressBytes;
  if (stack.back().sp <= sp)
    report_.add("pop-count-exact", s.index, "no Pop of the frame at " + hex(stack.back().sp) + " before the signal");
  if (popped_sp_ > sp)
    report_.add("pop-count-exact", s.index, "a Pop of the frame at " + hex(popped_sp_) + " above the signal's");
  stack.push_back({sp, true});
}

void CheckFrames::call(const Sight& s, Stack& stack) {
  count_pops(stack);
  if (!s.before.in_gap(s.e.thread)) {
    if (!expected_.open || !is_call(expected_.kind)) {
      report_.add("call-after-call-exit", s.index, "Call without a block that calls");
    } else {
      if (expected_.sp_known && expected_.pops > 0)
        report_.add("pop-count-exact", s.index, "no Pop where " + count_text(expected_.pops) + " ended");
      if (s.e.ip != expected_.call_ip)
        report_.add("call-ip-at-exit", s.index, hex(s.e.ip) + " instead of " + hex(expected_.call_ip));
      if (expected_.push && *expected_.push != s.e.sp)
        report_.add("call-pushes-at-sp", s.index, "at " + hex(*expected_.push) + ", and SP is " + hex(s.e.sp));
      compare_sp(s);
    }
  } else if (stack.size() > 1 && stack.back().sp <= s.e.sp) {
    report_.add("call-sp-below-frames", s.index, hex(s.e.sp) + " is not below the caller's " + hex(stack.back().sp));
  }
  expected_.open = false;
  stack.push_back({s.e.sp, false});
}

void CheckFrames::returned(const Sight& s, Stack& stack) {
  count_pops(stack);
  if (!s.before.in_gap(s.e.thread)) {
    if (!expected_.open || expected_.kind != ExitKind::kReturn) {
      report_.add("return-after-return-exit", s.index, "Return without a block that returns");
    } else {
      if (expected_.sp_known && expected_.pops > 0)
        report_.add("pop-count-exact", s.index, "no Pop where " + count_text(expected_.pops) + " ended");
      if (expected_.sp_known && !expected_.closes && stack.size() > 1)
        report_.add("return-after-return-exit", s.index, "Return where no frame ended");
      compare_sp(s);
    }
  }
  expected_.open = false;
  close(s, stack, 1);
}

void CheckFrames::signal_leave(const Sight& s, Stack& stack) {
  settle(s);
  if (stack.back().signal) {
    stack.pop_back();
    return;
  }
  report_.add("brackets-balanced", s.index, "SignalLeave where the top frame is no signal's");
  if (stack.size() > 1) stack.pop_back();
}

void CheckFrames::stack_switch(const Sight& s) {
  if (expected_.open && expected_.sp_known && s.e.sp != expected_.sp)
    doubts_.push_back({"sp-tracks", s.index, wrong_sp(s)});
  if (expected_.open && expected_.pops_known) {
    expected_.pops_known = false;
    report_.add("pop-count-exact", s.index, "a StackSwitch behind a Pop");
  }
  expected_.switched = true;
  expected_.stack = s.e.stack;
  expected_.sp_rose = true;
  if (stacks_[s.e.stack].empty()) stacks_[s.e.stack].push_back(Frame{});
}

void CheckFrames::compare_sp(const Sight& s) {
  if (expected_.sp_known && s.e.sp != expected_.sp) report_.add("sp-tracks", s.index, wrong_sp(s));
}

std::string CheckFrames::wrong_sp(const Sight& s) const {
  return hex(s.e.sp) + " where the block before leads to " + hex(expected_.sp);
}

void CheckFrames::close(const Sight& s, Stack& stack, uint32_t n) {
  const size_t frames = stack.size() - 1;
  if (n > frames)
    report_.add("brackets-balanced", s.index, "closes " + count_text(n) + " of " + std::to_string(frames));
  stack.resize(n > frames ? 1 : stack.size() - n);
}

}  // namespace cdr::trace
