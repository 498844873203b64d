// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a forked child's stream begins with (base/event.h): the state that it inherits, told as a recording
// would have told it that was off from the start of the process to the fork.
#include <algorithm>

#include "cdrgrind/drain/drain.h"

namespace cdr::drain {

// The session has emptied the block table: trace ids are given anew, record ids stay those of the code.
void Drain::forked(Words p) {
  for (Code& c : codes_) c.block = BlockId();
  plain_codes_.assign(plain_codes_.size(), {});
  for (Definition& d : definitions_) d.id = SuperblockId();
  keep_one_thread(ThreadId(static_cast<uint32_t>(p[0])));
  state_process(p[1]);
}

void Drain::keep_one_thread(ThreadId survivor) {
  auto t = std::move(threads_[survivor.value - 1]);
  threads_.clear();
  t->id = ThreadId(1);
  t->creator = ThreadId();
  t->sp_untold = false;
  running_ = t->id;
  current_ = t.get();
  for (const auto& s : stacks_) {
    const bool own = s->last_user == survivor;
    s->user = s.get() == t->stack ? t->id : ThreadId();
    s->last_user = own ? t->id : ThreadId();
    for (Frame& f : s->frames) f.told = f.name_told = true;  // they will be
  }
  threads_.push_back(std::move(t));
  first_untold_ = kAllTold;
  const std::vector<Stack*> stacks = stacks_of(*current_);
  stacks_.keep(stacks);
  current_->own = stacks.front();
  std::erase_if(current_->visits, [&](Stack* s) { return std::find(stacks.begin(), stacks.end(), s) == stacks.end(); });
}

// The first one, then in the order of use; those without frames are as good as new.
std::vector<Stack*> Drain::stacks_of(const DrainedThread& t) const {
  std::vector<Stack*> stacks;
  for (const auto& s : stacks_) {
    if (s->last_user != t.id) continue;
    if (stacks.empty() || s.get() == t.stack || s->frames.size() > 1 || !s->open.empty()) stacks.push_back(s.get());
  }
  if (stacks.size() > 1)
    std::sort(stacks.begin() + 1, stacks.end(), [](const Stack* a, const Stack* b) { return a->used < b->used; });
  return stacks;
}

void Drain::state_process(uint64_t pthread) {
  std::vector<Stack*> stacks;
  for (const auto& s : stacks_) stacks.push_back(s.get());
  state_thread(stacks, pthread);
  state_modules();
  state_memory();
  state_stacks(stacks);
  if (current_->hidden) emit(EventKind::kHideBegin);
  if (collecting_) emit(EventKind::kGapEnd);
}

void Drain::state_thread(std::span<Stack* const> stacks, uint64_t pthread) {
  const Stack& first = *stacks.front();
  Event e = make(EventKind::kThreadStart);
  e.stack = first.id;
  e.range = first.range;
  e.sp = first.reaches(current_->sp) ? current_->sp : first.range.end;
  e.value = pthread;
  send(e);
  emit(EventKind::kGapBegin);
  if (!current_->collecting) tell_gap_of_thread();
}

// Also those that are gone: their ids are taken.
void Drain::state_modules() {
  for (const Module& m : modules_) {
    tell_module(EventKind::kModuleMapped, m.id);
    if (std::find(unmapped_modules_.begin(), unmapped_modules_.end(), m.id) != unmapped_modules_.end())
      tell_module(EventKind::kModuleUnmapped, m.id);
  }
}

void Drain::state_memory() {
  for (const Regions::Mapping& m : regions_.mappings()) {
    Event e = make(EventKind::kMap);
    e.range = m.range;
    e.value = m.flags;
    send(e);
  }
  for (const Regions::HeapBlock& b : regions_.heap_blocks()) {
    Event e = make(EventKind::kAlloc);
    e.addr = b.addr;
    e.size = b.size;
    send(e);
  }
}

// Those that are not being visited first; then those that are, so that each hangs from the one before.
void Drain::state_stacks(std::span<Stack* const> stacks) {
  const Stack* const first = stacks.front();
  const auto& visits = current_->visits;
  const Stack* told = first;
  state_frames(*first);
  for (const Stack* s : stacks)
    if (s != first && std::find(visits.begin(), visits.end(), s) == visits.end()) state_stack(*s, told);
  for (const Stack* s : visits)
    if (s != first)
      state_stack(*s, told);
    else if (told != first)
      tell_stack(EventKind::kStackSwitch, *s, s->range.end), told = s;
  if (told != current_->stack) tell_stack(EventKind::kStackSwitch, *current_->stack, current_->sp);
}

// With a SignalEnter of the same SP the StackSwitch is the handler's.
void Drain::state_stack(const Stack& s, const Stack*& told) {
  const bool handler = s.frames.size() > 1 && s.frames[1].switched;
  const uint64_t sp = &s == current_->stack ? current_->sp : s.range.end;
  tell_stack(EventKind::kStackSwitch, s, handler ? s.frames[1].sp - kSignalFrameAbove : sp);
  state_frames(s);
  told = &s;
}

void Drain::state_frames(const Stack& s) {
  for (size_t depth = 1; depth <= s.frames.size(); ++depth) {
    state_frame(s.frames[depth - 1]);
    state_syncs(s, depth);
  }
}

void Drain::state_frame(const Frame& f) {
  const bool root = f.sp == Frame().sp;
  if (!root) tell_opening(f);
  if (f.named) tell_name(f);
}

void Drain::state_syncs(const Stack& s, size_t depth) {
  for (const OpenSync& open : s.open) {
    if (open.frames != depth) continue;
    Event e = make(EventKind::kSyncEnter);
    e.sync = open.sync;
    send(e);
  }
}

void Drain::tell_gap_of_thread() {
  Event e = make(EventKind::kGapBegin);
  e.count = 1;
  send(e);
}

void Drain::tell_stack(EventKind kind, const Stack& s, uint64_t sp) {
  Event e = make(kind);
  e.stack = s.id;
  e.range = s.range;
  e.sp = sp;
  send(e);
}

}  // namespace cdr::drain
