// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/replay.h"

#include <algorithm>

namespace cdr::trace {

Extent extent_of(const Event& e, const BlockTable& blocks) {
  const Superblock& sb = blocks.superblock_of(e.block);
  if (e.kind == EventKind::kPartial) {
    const Executed done = executed_before(sb, e.ip);
    return {&sb, done.insns, sb.accesses.first(done.accesses), sb.sp_changes.first(done.sp_changes)};
  }
  const Exit& exit = blocks.exit_of(e.block);
  return {&sb, exit.insns_executed(), sb.accesses.first(exit.accesses), sb.sp_changes.first(exit.sp_changes)};
}

bool all_accesses_happen(const Event& e, const BlockTable& blocks) {
  const auto accesses = extent_of(e, blocks).accesses;
  return std::none_of(accesses.begin(), accesses.end(), [](const Access& a) { return a.guarded(); });
}

uint64_t sp_behind(const Event& e, const BlockTable& blocks, uint64_t sp_in) {
  const auto changes = extent_of(e, blocks).sp_changes;
  if (changes.empty()) return sp_in;
  const SpChange& last = changes.back();
  const bool word_missing = last.slot != SpChange::kSpAtEntry && last.slot > e.words.size();  // Words::kAny
  return word_missing ? sp_in : sp_after(last, sp_in, e.words);
}

const ThreadState& Replay::thread(ThreadId t) const {
  static const ThreadState kNever;
  return t.value < threads_.size() ? threads_[t.value] : kNever;
}

AddrRange Replay::stack_range(StackId s) const { return s.value < stacks_.size() ? stacks_[s.value] : AddrRange{}; }

ThreadState& Replay::at(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  return threads_[t.value];
}

void Replay::on_stack(const Event& e) {
  if (e.stack.value >= stacks_.size()) stacks_.resize(e.stack.value + 1);
  stacks_[e.stack.value] = e.range;
  ThreadState& t = at(e.thread);
  t.stack = e.stack;
  t.sp = e.sp;
  t.sp_known = true;
}

// When recording begins again SP is told for one thread; the others have moved unseen.
void Replay::end_gap(const Event& e) {
  if (e.count == 0) {
    in_process_gap_ = false;
    for (ThreadState& t : threads_) t.sp_known = false;
  } else {
    at(e.thread).in_thread_gap = false;
  }
  set_sp(e);
}

void Replay::set_sp(const Event& e) {
  ThreadState& t = at(e.thread);
  t.sp = e.sp;
  t.sp_known = true;
}

void Replay::apply(const Event& e) {
  switch (e.kind) {
    case EventKind::kBlock:
    case EventKind::kPartial: {
      ThreadState& t = at(e.thread);
      t.sp = sp_behind(e, blocks_, t.sp);
      break;
    }
    case EventKind::kCall:
    case EventKind::kReturn:
    case EventKind::kSignalEnter:
    case EventKind::kSignalLeave:
    case EventKind::kStackPointer:
      set_sp(e);
      break;
    case EventKind::kStackSwitch:
      on_stack(e);
      break;
    case EventKind::kThreadStart:
      at(e.thread).started = true;
      on_stack(e);
      break;
    case EventKind::kThreadEnd:
      at(e.thread).ended = true;
      break;
    case EventKind::kGapBegin:
      if (e.count == 0)
        in_process_gap_ = true;
      else
        at(e.thread).in_thread_gap = true;
      break;
    case EventKind::kGapEnd:
      end_gap(e);
      break;
    default:
      break;
  }
}

}  // namespace cdr::trace
