// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/call_stacks.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/analysis/events/program_modules.h"

namespace cdr::analysis {

std::vector<bool> shim_modules(const ModuleTable& modules) {
  std::vector<bool> shim(modules.size() + 1);
  for (const Module& m : modules) shim[m.id.value] = is_shim(m);
  return shim;
}

void CallStacks::event(const Event& e) {
  if (e.kind != EventKind::kPop && e.kind != EventKind::kSignalEnter) state(e.thread).left = nullptr;
  switch (e.kind) {
    case EventKind::kCall:
      return push(e, false);
    case EventKind::kSignalEnter:
      return enter_signal(e);
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
      return pop(state(e.thread), 1);
    case EventKind::kPop:
      return pop(state(e.thread), e.count);
    case EventKind::kStackSwitch:
      return switch_stack(state(e.thread), e);
    case EventKind::kThreadStart:
      return use_stack(state(e.thread), e.stack);
    default:
      return;
  }
}

CallStacks::State& CallStacks::first_state(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  use_stack(threads_[t.value], StackId());
  return threads_[t.value];
}

// One to the same stack only tells its bounds. What was interrupted on another one goes on: its handlers have been
// left.
void CallStacks::switch_stack(State& s, const Event& e) {
  const Frames* const before = s.frames;
  use_stack(s, e.stack);
  s.left = s.frames == before ? nullptr : before;
  s.switched_sp = e.sp;
  std::erase_if(s.handlers, [&](const Handler& h) {
    if (h.interrupted != s.frames) return false;
    for (CallFrame& f : *h.on)
      if (f.interrupted == h.interrupted) f.interrupted = nullptr;
    return true;
  });
}

void CallStacks::use_stack(State& s, StackId stack) {
  Frames& frames = stacks_[stack.value];
  if (frames.empty()) frames.emplace_back();
  s.frames = &frames;
}

void CallStacks::name(Frames& frames, const Superblock& sb) {
  CallFrame& top = frames.back();
  top.named = true;
  top.function = {sb.module, sb.addr};
  if (!is_library(sb.module)) top.for_program = true;
  const bool below_hidden = frames.size() > 1 && frames[frames.size() - 2].hidden;
  top.hidden = below_hidden || (sb.flags & kBlockHidden);
}

// What a signal's handler calls is called by nobody.
void CallStacks::push(const Event& e, bool signal) {
  State& s = state(e.thread);
  CallFrame f;
  f.site = {s.module, e.ip};
  f.base = e.sp + sizeof(uint64_t);
  const bool by_library = is_library(s.module);
  if (!signal) f.from = by_library ? s.frames->back().from : f.site;
  f.hidden = !signal && s.frames->back().hidden;
  f.for_program = !signal && (s.frames->back().for_program || !by_library);
  s.frames->push_back(f);
  s.jumped = false;
}

void CallStacks::enter_signal(const Event& e) {
  State& s = state(e.thread);
  const Frames* const interrupted = s.switched_sp == e.sp ? std::exchange(s.left, nullptr) : nullptr;
  push(e, true);
  s.frames->back().interrupted = interrupted;
  if (interrupted) s.handlers.push_back({s.frames, interrupted});
}

void CallStacks::pop(State& s, uint32_t count) {
  const size_t open = s.frames->size() - 1;
  s.frames->resize(s.frames->size() - std::min<size_t>(count, open));
  s.jumped = false;
}

std::vector<CodeAddr> CallStacks::sites(ThreadId t, CodeAddr at) {
  const auto is_shim = [&](CodeAddr c) { return c.module.value < shim_.size() && shim_[c.module.value]; };
  std::vector<CodeAddr> out;
  if (at != CodeAddr() && !is_shim(at)) out.push_back(at);
  const Frames* below = nullptr;
  size_t stacks = 0;  // handlers on two alternate stacks that interrupt each other are not followed for ever
  for (const Frames* frames = state(t).frames; frames && ++stacks <= stacks_.size();
       frames = std::exchange(below, nullptr))
    for (auto f = frames->rbegin(); f != frames->rend() && !below; ++f) {
      if (f->site != CodeAddr() && !is_shim(f->site)) out.push_back(f->site);
      below = f->interrupted;
    }
  return out;
}

}  // namespace cdr::analysis
