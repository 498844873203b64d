// SPDX-License-Identifier: GPL-2.0-or-later
// The calls that are open, of every stack, while the stream is read. A frame knows where it was called, and, if
// library code stands between, where the program's own code called into it.
#ifndef CDRGRIND_ANALYSIS_EVENTS_CALL_STACKS_H
#define CDRGRIND_ANALYSIS_EVENTS_CALL_STACKS_H

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::analysis {

// By module: whether only recording brought it into the program.
std::vector<bool> shim_modules(const ModuleTable& modules);

struct CallFrame {
  CodeAddr site;      // the call instruction; none for the first frame of a stack
  CodeAddr from;      // the innermost call instruction outside of library code, at or above `site`
  CodeAddr function;  // where it began; none as long as it is not named
  uint64_t base = 0;  // the canonical frame address: SP before the call; 0 for the first frame of a stack
  bool named = false;
  bool hidden = false;  // a hidden function, or called by one
  // Code outside of libraries has run in it, or in one that called it. Not so what libraries do in threads, and in
  // handlers of signals, that are their own.
  bool for_program = false;
  // A handler's on another stack: the frames that it interrupted, as long as the thread has not gone back to them.
  const std::vector<CallFrame>* interrupted = nullptr;

  bool operator==(const CallFrame&) const = default;
};

class CallStacks {
 public:
  // `library[m]`: module m is library code or a shim; `shim`: see shim_modules().
  CallStacks(const BlockTable& blocks, const std::vector<bool>& library, const std::vector<bool>& shim)
      : blocks_(blocks), library_(library), shim_(shim) {}

  // Every event but Block and Partial.
  void event(const Event& e);
  // Before the accesses of a block are looked at.
  void block(ThreadId t, BlockId id) {
    State& s = state(t);
    const Superblock& sb = blocks_.superblock_of(id);
    CallFrame& top = (*s.frames).back();
    if (!top.named || ((sb.flags & kBlockFunctionEntry) && s.jumped)) name(*s.frames, sb);
    s.jumped = is_jump(blocks_.exit_of(id).kind);
    s.left = nullptr;
    s.module = sb.module;
  }
  // In place of many blocks and the calls between them, if afterwards the frames are what they were: whether that
  // makes no difference to a frame's name, and doing it. `entry`: the first enters a function; `jumped`: the last one
  // left by a jump.
  bool can_pass(ThreadId t, bool entry) {
    const State& s = state(t);
    return s.frames->back().named && !(s.jumped && entry);
  }
  void pass(ThreadId t, ModuleId last, bool jumped) {
    State& s = state(t);
    s.module = last;
    s.jumped = jumped;
    s.left = nullptr;
  }
  // The same of any blocks, calls and returns, known from another time when the innermost frames were the same, and
  // jumped().
  bool jumped(ThreadId t) { return state(t).jumped; }
  std::span<const CallFrame> innermost(ThreadId t, size_t count) { return std::span(*state(t).frames).last(count); }
  void replace_innermost(ThreadId t, size_t count, std::span<const CallFrame> with, ModuleId last, bool jumped) {
    State& s = state(t);
    s.frames->resize(s.frames->size() - count);
    s.frames->insert(s.frames->end(), with.begin(), with.end());
    s.module = last;
    s.jumped = jumped;
    s.left = nullptr;
  }
  // The present stack, outermost first.
  const std::vector<CallFrame>& frames(ThreadId t) { return *state(t).frames; }
  // Of any stack that was used.
  const std::vector<CallFrame>& frames_of(StackId stack) { return stacks_[stack.value]; }
  const CallFrame& top(ThreadId t) { return state(t).frames->back(); }
  // Innermost first, without the wrappers' own. The first is where the thread stands in the top frame: `at`, if any.
  std::vector<CodeAddr> sites(ThreadId t, CodeAddr at);
  // Of the last block.
  ModuleId module(ThreadId t) { return state(t).module; }

 private:
  using Frames = std::vector<CallFrame>;
  struct Handler {
    Frames* on;
    const Frames* interrupted;
  };
  struct State {
    Frames* frames = nullptr;
    bool jumped = false;
    ModuleId module;               // of the last block
    const Frames* left = nullptr;  // for another, by the last event but Pops
    uint64_t switched_sp = 0;
    std::vector<Handler> handlers;  // on other stacks
  };
  State& state(ThreadId t) {
    if (t.value < threads_.size() && threads_[t.value].frames) return threads_[t.value];
    return first_state(t);
  }
  State& first_state(ThreadId t);
  void switch_stack(State& s, const Event& e);
  void use_stack(State& s, StackId stack);
  void enter_signal(const Event& e);
  void name(Frames& frames, const Superblock& sb);
  void push(const Event& e, bool signal);
  void pop(State& s, uint32_t count);
  bool is_library(ModuleId m) const { return m.value < library_.size() && library_[m.value]; }

  const BlockTable& blocks_;
  const std::vector<bool>& library_;  // by module
  const std::vector<bool>& shim_;
  std::vector<State> threads_;
  std::unordered_map<uint32_t, Frames> stacks_;
};

}  // namespace cdr::analysis

#endif
