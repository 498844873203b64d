// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/strand_lanes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cdr::sync {

using strands::StrandKind;

void LaneSet::add(uint32_t lane) {
  const auto at = std::lower_bound(lanes.begin(), lanes.end(), lane);
  if (at == lanes.end() || *at != lane) lanes.insert(at, lane);
}

void LaneSet::join(const LaneSet& other) {
  for (const uint32_t lane : other.lanes) add(lane);
}

StrandStep StrandLanes::step(const SyncStep& s) {
  step_ = {};
  step_.place = s.index;
  if (s.kind == EventKind::kThreadStart || s.kind == EventKind::kThreadEnd) {
    life(s);
    return std::move(step_);
  }
  const Running before = now(s.thread);
  note(s);
  if (s.kind == EventKind::kThreadCreate && machine_.in_runtime(s.thread)) thread(s.child).of_runtime = true;
  Event e;
  e.kind = s.kind;
  e.thread = s.thread;
  e.child = s.child;
  e.sync = s.sync;
  machine_.event(e, s.index);
  // A strand's end is its own, its begin, too.
  step_.lane = s.kind == EventKind::kSyncLeave ? before.lane : now(s.thread).lane;
  if (lanes_[step_.lane - 1].kind != StrandKind::kTask) std::erase(step_.from.lanes, step_.lane);
  return std::move(step_);
}

// Threads of the runtime are nothing that the program knows.
void StrandLanes::life(const SyncStep& s) {
  Thread& t = thread(s.thread);
  step_.is_at = false;
  if (s.kind == EventKind::kThreadEnd) {
    Event e;
    e.kind = s.kind;
    e.thread = s.thread;
    machine_.event(e, s.index);
  }
  if (t.of_runtime) return;
  step_.from = {};
  step_.lane = now(s.thread).lane;
  step_.begins = s.kind == EventKind::kThreadStart;
  step_.ends = !step_.begins;
}

// What the machine does not tell: whose a team is, which construct created a task.
void StrandLanes::note(const SyncStep& s) {
  Thread& t = thread(s.thread);
  if (s.kind == EventKind::kSyncEnter && s.sync.op == SyncOp::kParallel) {
    teams_[s.sync.object] = {now(s.thread).lane, s.index};
    t.teams.push_back(s.sync.object);
  } else if (s.kind == EventKind::kSyncLeave && s.sync.op == SyncOp::kParallel && !t.teams.empty()) {
    teams_.erase(t.teams.back());
    t.teams.pop_back();
  } else if (s.kind == EventKind::kSyncEnter && s.sync.op == SyncOp::kTaskCreate) {
    t.creations.push_back({s.sync.object, s.index});
  } else if (s.kind == EventKind::kSyncLeave && s.sync.op == SyncOp::kTaskCreate && !t.creations.empty()) {
    t.creations.pop_back();
  } else if (s.kind == EventKind::kSyncEnter && s.sync.op == SyncOp::kTaskData && !t.creations.empty()) {
    tasks_[s.sync.object] = t.creations.back();
  }
}

StrandLanes::Running StrandLanes::now(ThreadId t) {
  Thread& on = thread(t);
  if (!on.running.empty()) return on.running.back();
  if (on.own.lane == 0) {
    StrandLane as;
    as.thread = t;
    as.of_runtime = on.of_runtime;
    on.own = begin(lane({StrandKind::kThread, t.value, 0}, as));
  }
  return on.own;
}

uint32_t StrandLanes::lane(const LaneKey& key, const StrandLane& as) {
  const auto [at, is_new] = by_key_.try_emplace(key, static_cast<uint32_t>(lanes_.size() + 1));
  if (is_new) {
    lanes_.push_back(as);
    lanes_.back().kind = std::get<StrandKind>(key);
    live_.push_back(0);
  }
  return at->second;
}

StrandLanes::Running StrandLanes::begin(uint32_t lane) {
  ++lanes_[lane - 1].strands;
  lane_of_.push_back(lane);
  return {lane, static_cast<uint32_t>(lane_of_.size() - 1)};
}

void StrandLanes::begins(ThreadId on, const strands::Strand& s, const LaneSet& from) {
  if (strands::lies_on_another(s.kind)) return thread(on).running.push_back(now(on));
  StrandLane as;
  as.team = s.team;
  LaneKey key{s.kind, 0, 0};
  if (s.kind == StrandKind::kImplicit) {
    const auto team = teams_.find(s.team);
    as.parent = team == teams_.end() ? 0 : team->second.lane;
    as.member = s.member;
    as.first_event = team == teams_.end() ? step_.place : team->second.event;
    key = {s.kind, as.parent, s.member};
  } else {
    const auto made = tasks_.find(s.task);
    const Creation by = made == tasks_.end() ? Creation{0, step_.place} : made->second;
    if (made != tasks_.end()) tasks_.erase(made);
    as.first_event = by.event;
    key = {s.kind, by.function, 0};
  }
  const uint32_t in = lane(key, as);
  step_.place = as.first_event;
  step_.from.join(from);
  step_.team = s.team;
  step_.member = s.member;
  step_.task = s.task;
  step_.begins = live_[in - 1]++ == 0;
  thread(on).running.push_back(begin(in));
}

LaneSet StrandLanes::ends(ThreadId on, const strands::Strand& s) {
  Thread& t = thread(on);
  if (t.running.empty()) return {};
  const Running ended = t.running.back();
  t.running.pop_back();
  if (!strands::lies_on_another(s.kind)) {
    step_.ends = --live_[ended.lane - 1] == 0;
    step_.is_at = false;
  }
  return {{ended.lane}};
}

void StrandLanes::acquire(ThreadId, const LaneSet& from) { step_.from.join(from); }

void StrandLanes::locked(ThreadId t, const LockKey& key) {
  const auto last = last_.find(key);
  if (last != last_.end() && last->second.strand != now(t).strand) step_.from.add(last->second.lane);
}

}  // namespace cdr::sync
