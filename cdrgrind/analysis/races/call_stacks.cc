// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/call_stacks.h"

#include <algorithm>

namespace cdr::analysis {

void CallStacks::event(const Event& e) {
  switch (e.kind) {
    case EventKind::kCall:
      return push(e.thread, e.ip, false);
    case EventKind::kSignalEnter:
      return push(e.thread, e.ip, true);
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
      return pop(state(e.thread), 1);
    case EventKind::kPop:
      return pop(state(e.thread), e.count);
    case EventKind::kThreadStart:
    case EventKind::kStackSwitch:
      return use_stack(state(e.thread), e.stack);
    default:
      return;
  }
}

void CallStacks::use_stack(State& s, StackId stack) {
  Frames& frames = stacks_[stack.value];
  if (frames.empty()) frames.emplace_back();
  s.frames = &frames;
}

void CallStacks::name(Frames& frames, const Superblock& sb) {
  CallFrame& top = frames.back();
  top.named = true;
  const bool below_hidden = frames.size() > 1 && frames[frames.size() - 2].hidden;
  top.hidden = below_hidden || (sb.flags & kBlockHidden);
}

// What a signal's handler calls is called by nobody.
void CallStacks::push(ThreadId t, uint64_t ip, bool signal) {
  State& s = state(t);
  CallFrame f;
  f.site = {s.module, ip};
  const bool by_library = s.module.value < library_.size() && library_[s.module.value];
  if (!signal) f.from = by_library ? s.frames->back().from : f.site;
  f.hidden = !signal && s.frames->back().hidden;
  s.frames->push_back(f);
  s.jumped = false;
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
  const Frames& frames = *state(t).frames;
  for (auto f = frames.rbegin(); f != frames.rend(); ++f)
    if (f->site != CodeAddr() && !is_shim(f->site)) out.push_back(f->site);
  return out;
}

}  // namespace cdr::analysis
