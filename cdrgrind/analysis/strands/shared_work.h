// SPDX-License-Identifier: GPL-2.0-or-later
// Of StrandMachine: worksharing constructs, and the iterations of loops that are shared out.
#ifndef CDRGRIND_ANALYSIS_STRANDS_SHARED_WORK_H
#define CDRGRIND_ANALYSIS_STRANDS_SHARED_WORK_H

#include <algorithm>
#include <utility>

#include "cdrgrind/analysis/strands/strand_machine.h"

namespace cdr::strands {

// --- worksharing ---

// With a static schedule it is told which thread gets what; so is it without a team.
template <class Release>
void StrandMachine<Release>::begin_work(ThreadId t, const Sync& s) {
  end_part(t);
  Running* const m = member(t);
  if (!m) return;
  const Work work = work_of(s.value);
  m->share.open = true;
  ++m->share.number;
  m->share.kind = work.kind;
  const bool in_parts = work.kind == WorkKind::kSections ||
                        (work.kind == WorkKind::kLoop && work.schedule != WorkSchedule::kStatic) ||
                        (work.kind == WorkKind::kSingle && work.chunk != 0);
  m->share.divided = in_parts && !m->task->team->alone;
  m->share.executes = false;
  m->share.count = 0;
  m->share.chunk = work.schedule == WorkSchedule::kDynamic ? work.chunk : 0;
  m->share.whole = {s.object, s.object2};
  m->share.begin = before_shares(t, *m);
  if (work.kind == WorkKind::kCopySingle) come_to_barrier(t);
}

// Who does not execute a single with copyprivate has waited for who does.
template <class Release>
void StrandMachine<Release>::work_left(ThreadId t, const Sync& s, const Open& open) {
  Running* const m = member(t);
  if (!m) return;
  if (m->share.kind == WorkKind::kCopySingle && !s.result) return leave_barrier(t);
  if (s.op == SyncOp::kWorkBegin) m->share.step = s.result;
  const int64_t step = m->share.step ? m->share.step : s.result;
  if (m->share.divided) m->share.count = count_of(s.object2, s.value, step);
  const uint64_t all = count_of(m->share.whole.begin, m->share.whole.end, step), chunk = m->share.chunk;
  m->share.one_chunk = all <= chunk;
  // The iterations of a chunk are one thread's. Of a loop that had one in this run nothing would be left to see.
  m->share.together = chunk == 0 ? 1 : m->share.one_chunk ? part_of_chunk(chunk, all) : chunk;
  if (m->share.is_static() && open.op == SyncOp::kWorkBegin) m->share.count = count_of(open.object, open.object2, step);
  m->share.executes = m->share.kind == WorkKind::kSingle && !m->share.divided && s.result && !m->task->team->alone;
  if (m->share.open && m->share.divided && s.result) begin_part(t);
}

template <class Release>
void StrandMachine<Release>::begin_body(ThreadId t) {
  Running* const m = member(t);
  if (m && m == &state(t).running.back() && std::exchange(m->share.executes, false)) begin_part(t);
}

template <class Release>
void StrandMachine<Release>::end_body(ThreadId t) {
  const auto& all = state(t).running;
  if (!all.empty() && all.back().strand.kind == StrandKind::kPart && member(t)->share.kind == WorkKind::kSingle)
    end_part(t);
}

template <class Release>
void StrandMachine<Release>::begin_part(ThreadId t) {
  const Running& m = *member(t);
  Strand part = m.strand;
  part.kind = StrandKind::kPart;
  part.work = m.share.kind;
  if (m.share.one_chunk) part.only_chunk = static_cast<uint32_t>(std::min<uint64_t>(m.share.chunk, UINT32_MAX));
  const Release from = m.share.begin;
  begin(t, part, m.task, from);
}

template <class Release>
void StrandMachine<Release>::end_part(ThreadId t) {
  end_iteration(t);
  end_loop(t);
  auto& all = state(t).running;
  if (all.empty() || all.back().strand.kind != StrandKind::kPart) return;
  const Release given = end(t);
  all.back().share.parts.join(given);
}

// Of a doacross loop: the iteration has posted, or is one that this thread has executed.
template <class Release>
void StrandMachine<Release>::sink(ThreadId t, uint64_t iteration) {
  Running* const m = member(t);
  if (!m) return;
  const auto& posted = m->task->team->posted;
  const auto found = posted.find({m->share.number, iteration});
  if (found != posted.end()) client_.acquire(t, found->second);
}

template <class Release>
void StrandMachine<Release>::end_work(ThreadId t, const Sync& s) {
  end_part(t);
  Running* const m = member(t);
  if (!m) return;
  m->share.open = false;
  if (m->share.kind == WorkKind::kCopySingle)
    m->task->team->add(m->task->phase, client_.release(t));
  else if (!s.value)
    come_to_barrier(t);
}

// --- iterations ---

template <class Release>
bool StrandMachine<Release>::goes_through(ThreadId t, const Running& b, const SharedLoop& loop) {
  switch (b.strand.kind) {
    case StrandKind::kPart:
      return loop.by == SharedLoop::By::kRuntime && member(t)->share.kind == WorkKind::kLoop;
    case StrandKind::kTask:
      return loop.by == SharedLoop::By::kTaskloop && b.task->of_loop;
    case StrandKind::kImplicit:
      if (b.task->team->alone) return false;
      return loop.by == SharedLoop::By::kCompiler || (loop.by == SharedLoop::By::kRuntime && b.share.is_static());
    default:
      return false;
  }
}

// Behind an operation: loops are still in turn behind those of worksharing, and whoever asks for the thread's number
// may begin a loop that the compiler shares out.
template <class Release>
void StrandMachine<Release>::keep_turn(const Event& e) {
  Running* const m = member(e.thread);
  if (!m) return;
  InTurn& turn = m->share.in_turn;
  const SyncOp op = e.kind == EventKind::kSyncEnter ? e.sync.op : SyncOp::kNone;
  const bool next_part = op == SyncOp::kWorkNext && m->share.divided;
  if (op != SyncOp::kWorkBegin && op != SyncOp::kWorkEnd && op != SyncOp::kThreadNumber && !next_part)
    turn.goes_on = false;
  if ((op == SyncOp::kThreadNumber && e.sync.value != kUntold) || (op == SyncOp::kWorkBegin && m->share.is_static()))
    ++turn.static_shares;
}

// What the member has done, but not since the first static loop behind the last barrier: others might have got its
// iterations, and what it does between such loops all members do.
template <class Release>
Release StrandMachine<Release>::before_shares(ThreadId t, Running& member) {
  InTurn& turn = member.share.in_turn;
  const bool in_turn = turn.goes_on && turn.static_shares <= 1 && turn.phase == member.task->phase;
  if (in_turn && !client_.has_got(t, turn.known)) return turn.before;
  turn = {};
  return client_.release(t);
}

// What the thread did before the first iteration lies before all. The first one of a part, or of a task, is the rest of
// that.
template <class Release>
void StrandMachine<Release>::begin_iterations(ThreadId t, Running& b, const SharedLoop& loop) {
  if (b.strand.kind != StrandKind::kImplicit) return;
  b.share.loop = loop.by == SharedLoop::By::kCompiler ? loop.number : 0;
  b.share.as_written = loop.as_written;
  if (!loop.as_written) b.share.in_turn = {};
  b.share.begin = before_shares(t, b);
  b.share.in_turn.before = b.share.begin;
  if (b.share.loop) b.share.count = 0;
}

template <class Release>
uint64_t StrandMachine<Release>::arrive(ThreadId t, const SharedLoop& loop) {
  Running* b = base(t);
  if (!b || !goes_through(t, *b, loop)) return 0;
  if (loop.by == SharedLoop::By::kRuntime && sharer(t)->share.count == 1) return 0;
  if (b->strand.kind == StrandKind::kImplicit && loop.by == SharedLoop::By::kCompiler && b->share.loop != loop.number) {
    end_loop(t);
    b = base(t);
  }
  if (b->iterations.arrivals == 0) begin_iterations(t, *b, loop);
  if (!b->iterations.arrive(b->strand.kind == StrandKind::kPart ? member(t)->share.together : 1)) return 0;
  end_iteration(t);
  b = base(t);
  b->iterations.pending = b->strand.kind == StrandKind::kImplicit || b->iterations.first > 1;
  return b->iterations.first;
}

template <class Release>
bool StrandMachine<Release>::leave_loop(ThreadId t, uint32_t loop) {
  if (!leaves_loop(t, loop)) return false;
  end_loop(t);
  return true;
}

template <class Release>
void StrandMachine<Release>::realize(ThreadId t) {
  if (!is_pending(t)) return;
  Running& b = state(t).running.back();
  b.iterations.pending = false;
  Strand s = b.strand;
  s.kind = StrandKind::kIteration;
  s.of_part = b.strand.kind == StrandKind::kPart;
  s.iteration = b.iterations.first;
  s.own_frames = s.undeferred = false;
  const TaskRef task = b.task;
  const Share& share = sharer(t)->share;
  Release from = share.begin;
  const auto before = share.in_turn.ends.find(s.iteration);
  if (!s.of_part && before != share.in_turn.ends.end()) from.join(before->second);
  begin(t, s, task, from);
}

template <class Release>
void StrandMachine<Release>::end_iteration(ThreadId t) {
  auto& all = state(t).running;
  if (all.empty()) return;
  all.back().iterations.pending = false;
  if (all.back().strand.kind != StrandKind::kIteration) return;
  const Strand ended = all.back().strand;
  const Release given = end(t);
  Share& share = sharer(t)->share;
  (ended.of_part ? share.parts : share.iterations).join(given);
  if (!ended.of_part && share.as_written) share.in_turn.ends[ended.iteration] = given;
}

// Of an implicit task, which goes on behind its iterations: it is told which ones they are.
template <class Release>
void StrandMachine<Release>::end_loop(ThreadId t) {
  Running* b = base(t);
  if (!b || b->strand.kind != StrandKind::kImplicit || b->iterations.arrivals == 0) return;
  end_iteration(t);
  b = base(t);
  b->iterations = {};
  b->share.loop = 0;
  client_.acquire(t, b->share.iterations);
  b->share.iterations = Release();
  if (!b->share.as_written) return;
  InTurn& turn = b->share.in_turn;
  turn.goes_on = true;
  turn.static_shares = 0;
  turn.phase = b->task->phase;
  turn.known = client_.release(t);
}

}  // namespace cdr::strands

#endif
