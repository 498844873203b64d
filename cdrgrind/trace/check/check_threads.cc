// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_threads.h"

namespace cdr::trace {
namespace {

std::string thread_text(ThreadId t) { return "thread " + std::to_string(t.value); }

// The thread operations are large: creating or cancelling one locks the dynamic linker's mutex. A once runs code of
// the program. The guards of a library may use its locks. A waiter that took a signal which it cannot use passes
// it on.
// A wait that finds that its thread is cancelled is unwound from where it stands: what the unwinder does is inside.
bool may_contain(SyncOp outer, SyncOp inner) {
  const bool waits = outer == SyncOp::kCondWait || outer == SyncOp::kCondTimedWait;
  const bool cancelled = waits || outer == SyncOp::kSemWait || outer == SyncOp::kSemTimedWait;
  if (cancelled && (inner == SyncOp::kOnce || inner == SyncOp::kMutexLock || inner == SyncOp::kMutexUnlock))
    return true;
  if (is_team_op(outer))
    return is_team_callback(outer) || is_team_callback(inner) ||
           (inner == SyncOp::kTaskDepend && (outer == SyncOp::kTaskCreate || outer == SyncOp::kTaskwait));
  const bool large = outer <= SyncOp::kThreadExit || (outer >= SyncOp::kThreadCancel && outer <= SyncOp::kGuardAbort);
  return large || (waits && inner == SyncOp::kCondSignal);
}

bool starts_or_ends(const Event& e) { return e.kind == EventKind::kThreadStart || e.kind == EventKind::kThreadEnd; }

}  // namespace

void CheckThreads::see(const Sight& s) {
  if (s.index == 0 && (s.e.kind != EventKind::kThreadStart || s.e.thread != ThreadId(1)))
    report_.add("thread-starts-first", s.index, "another event of " + thread_text(s.e.thread));
  const bool gap = s.e.kind == EventKind::kGapBegin && s.e.count == 0;
  if (forked_ && s.index == 1 && !gap)
    report_.add("forked-begins-in-gap", s.index, "the second event is none that begins one");
  turns(s);
  lives(s);
  stacks(s);
  gaps(s);
  syncs(s);
  hides(s);
  thread_ = s.e.thread;
}

void CheckThreads::turns(const Sight& s) {
  if (s.e.kind == EventKind::kTurn) {
    if (s.e.thread == thread_) report_.add("turn-changes-thread", s.index, "again to " + thread_text(thread_));
    return;
  }
  if (s.index > 0 && s.e.thread != thread_ && !starts_or_ends(s.e))
    report_.add("turn-before-thread-change", s.index, thread_text(s.e.thread) + " after " + thread_text(thread_));
}

// A Turn to a thread may come directly before its start.
void CheckThreads::lives(const Sight& s) {
  const ThreadState& t = s.before.thread(s.e.thread);
  const bool starting = s.e.kind == EventKind::kThreadStart;
  if (turned_to_new_ && !starting && s.index > 0)
    report_.add("thread-starts-once", s.index - 1, "a turn to " + thread_text(thread_) + " that does not start");
  turned_to_new_ = s.e.kind == EventKind::kTurn && !t.started;
  if (starting) return start(s);
  if (!t.started && !turned_to_new_ && s.index > 0)
    report_.add("thread-starts-once", s.index, thread_text(s.e.thread) + " has not started");
  if (t.ended)
    report_.add(s.e.kind == EventKind::kThreadEnd ? "thread-ends-once" : "no-event-after-end", s.index,
                thread_text(s.e.thread) + " has ended");
  if (s.e.kind == EventKind::kThreadCreate) announced_[s.e.child] = s.e.thread;
}

void CheckThreads::start(const Sight& s) {
  if (s.before.thread(s.e.thread).started)
    report_.add("thread-starts-once", s.index, thread_text(s.e.thread) + " starts again");
  if (!s.e.child) return;
  const auto a = announced_.find(s.e.thread);
  if (a == announced_.end() || a->second != s.e.child)
    report_.add("thread-created-by-creator", s.index,
                thread_text(s.e.child) + " has not created " + thread_text(s.e.thread));
}

void CheckThreads::stacks(const Sight& s) {
  if (s.e.kind == EventKind::kThreadStart || s.e.kind == EventKind::kStackSwitch) use_stack(s, s.e.stack);
  if (s.e.kind == EventKind::kThreadEnd) use_stack(s, StackId());
}

void CheckThreads::use_stack(const Sight& s, StackId stack) {
  StackId& present = stack_of_[s.e.thread];
  if (present && user_of_[present] == s.e.thread) user_of_[present] = ThreadId();
  present = stack;
  if (!stack) return;
  ThreadId& user = user_of_[stack];
  if (user && user != s.e.thread)
    report_.add("stack-one-thread", s.index,
                "stack " + std::to_string(stack.value) + " is that of " + thread_text(user));
  user = s.e.thread;
}

void CheckThreads::gaps(const Sight& s) {
  const EventKind kind = s.e.kind;
  const bool in_gap = process_gap_ || thread_gap_[s.e.thread];
  if (kind == EventKind::kGapBegin || kind == EventKind::kGapEnd) {
    bool& gap = s.e.count == 0 ? process_gap_ : thread_gap_[s.e.thread];
    const bool begins = kind == EventKind::kGapBegin;
    if (gap == begins) report_.add("gaps-alternate", s.index, begins ? "begins twice" : "ends without beginning");
    gap = begins;
  } else if (in_gap && (kind == EventKind::kBlock || kind == EventKind::kPartial)) {
    report_.add("gap-has-no-blocks", s.index, "block " + std::to_string(s.e.block.value));
  } else if (!in_gap && kind == EventKind::kEnter) {
    report_.add("enter-only-in-gap", s.index, "block " + std::to_string(s.e.block.value));
  }
}

void CheckThreads::syncs(const Sight& s) {
  if (s.e.kind == EventKind::kSignalEnter) ++signals_[s.e.thread];
  if (s.e.kind == EventKind::kSyncEnter) sync_enter(s);
  if (s.e.kind == EventKind::kSyncLeave) sync_leave(s);
  if (s.e.kind == EventKind::kThreadEnd) open_.erase(s.before.stack(s.e.thread));
}

void CheckThreads::hides(const Sight& s) {
  bool& hidden = hidden_[s.e.thread];
  const bool begins = s.e.kind == EventKind::kHideBegin;
  if (s.e.kind == EventKind::kSyncEnter && hidden && !is_team_op(s.e.sync.op))
    report_.add("no-sync-hidden", s.index, "operation " + std::to_string(static_cast<unsigned>(s.e.sync.op)));
  if (!begins && s.e.kind != EventKind::kHideEnd) return;
  if (hidden == begins) report_.add("hides-alternate", s.index, begins ? "begins twice" : "ends without beginning");
  hidden = begins;
}

// A handler may interrupt; else nothing runs inside an operation. An exit has no leave event.
void CheckThreads::sync_enter(const Sight& s) {
  if (s.e.sync.op == SyncOp::kThreadExit) return;
  auto& open = open_[s.before.stack(s.e.thread)];
  const uint32_t signals = signals_[s.e.thread];
  if (!open.empty() && !may_contain(open.back().sync.op, s.e.sync.op) && open.back().signals == signals)
    report_.add("sync-nesting", s.index,
                "entered inside operation " + std::to_string(static_cast<unsigned>(open.back().sync.op)));
  open.push_back({s.e.sync, signals});
}

void CheckThreads::sync_leave(const Sight& s) {
  auto& open = open_[s.before.stack(s.e.thread)];
  const Sync& sync = s.e.sync;
  // A thread that is being created has no pthread_t before.
  const bool same = !open.empty() && (open.back().sync.object == sync.object || sync.op == SyncOp::kThreadCreate);
  const bool matches = same && open.back().sync.op == sync.op;
  if (!matches)
    report_.add("sync-nesting", s.index,
                "operation " + std::to_string(static_cast<unsigned>(sync.op)) + " on " + hex(sync.object) +
                    " was not the last entered");
  if (!open.empty()) open.pop_back();
}

}  // namespace cdr::trace
