// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/strand_touches.h"

#include <algorithm>

namespace cdr::sharing {

using races::Generations;
using races::PhaseSharing;

void StrandTouches::event(const Event& e, uint64_t index) {
  index_ = index;
  control_.see(e);
  if (e.kind == EventKind::kThreadStart) last_thread_ = std::max(last_thread_, e.thread.value);
  if (e.kind == EventKind::kThreadCreate && !machine_.in_runtime(e.thread)) {
    alone_ = false;
    begin_phase();
  }
  const bool team = e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kParallel;
  const bool end = e.kind == EventKind::kSyncLeave && e.sync.op == SyncOp::kParallel;
  const bool outermost = (team || end) && thread(e.thread).running.empty();
  if (team) regions_[e.sync.object].function = e.sync.object2;
  if (end) regions_[e.sync.object].data = e.sync.value;
  machine_.event(e, index);
  if (outermost) begin_phase();
  if (e.kind == EventKind::kSyncLeave && is_team_op(e.sync.op)) pass_barriers(e.thread);
  generations_.event(e, index);
}

void StrandTouches::begins(ThreadId on, const strands::Strand& s, const strands::NoRelease&) {
  Thread& t = thread(on);
  Running r;
  if (strands::lies_on_another(s.kind)) r = top(on);
  r.number = 0;
  r.part |= s.kind == strands::StrandKind::kPart;
  r.member = s.kind == strands::StrandKind::kImplicit && !s.own_frames;
  r.team = s.team;
  if (s.kind == strands::StrandKind::kImplicit) begin_member_phase(r, 0);
  t.running.push_back(r);
  memory_.begins(on, s, index_);
}

strands::NoRelease StrandTouches::ends(ThreadId on, const strands::Strand& s) {
  thread(on).running.pop_back();
  memory_.ends(on, s, index_);
  return {};
}

void StrandTouches::pass_barriers(ThreadId t) {
  Running& r = top(t);
  if (r.actor.number == 0 || r.part) return;
  const uint64_t phase = machine_.phase(t);
  if (phase == r.phase) return;
  const bool first = floors_[r.team].phase != phase;
  begin_member_phase(r, phase);
  if (first && r.member && thread(t).running.size() == 1) begin_phase();
}

void StrandTouches::begin_member_phase(Running& r, uint64_t phase) {
  Floor& f = floors_[r.team];
  const auto next = [&] { return PhaseSharing::number_of(++actors_); };
  if (f.floor == 0 || f.phase != phase) f = {phase, next()};
  r.phase = phase;
  r.actor = {next(), f.floor};
}

// Memory of a strand's own that another one touches, or nobody's own.
bool StrandTouches::is_others(ThreadId t, const analysis::Seen& seen) {
  const races::GenerationId g = recent_.at(seen.addr);
  if (!Generations::is_of_strand(g)) return true;
  const ThreadId owner = owners_.other(g, number(t));
  if (!owner) return false;
  to_.touch_since(owner, floor_, seen.addr, seen.width, true);
  return true;
}

void StrandTouches::access(ThreadId t, const analysis::Seen& seen) {
  if (machine_.in_runtime(t) && !runtime_) return;
  if (const Running& r = top(t); r.part && r.actor.number) parts_.touch(r.actor, seen.addr, seen.width, true);
  if (is_others(t, seen)) to_.touch_since(number(t), floor_, seen.addr, seen.width, seen.store);
}

}  // namespace cdr::sharing
