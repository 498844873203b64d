// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_strands.h"

#include <algorithm>
#include <utility>

namespace cdr::trace {

void CheckStrands::see(const Sight& s) {
  if (s.e.kind == EventKind::kThreadCreate && within_runtime(s.e.thread)) of_runtime_[s.e.child] = true;
  if (s.e.kind == EventKind::kThreadEnd) open_.erase(s.e.thread);
  if (s.e.kind == EventKind::kSyncEnter && is_team_op(s.e.sync.op)) enter(s);
  if (s.e.kind == EventKind::kSyncLeave && is_team_op(s.e.sync.op)) leave(s);
}

bool CheckStrands::within_runtime(ThreadId t) {
  const auto& open = open_[t];
  return open.empty() ? of_runtime_[t] : !is_team_callback(open.back());
}

void CheckStrands::enter(const Sight& s) {
  const Sync& sync = s.e.sync;
  if (is_team_callback(sync.op) && !within_runtime(s.e.thread) && !forked_)
    report_.add("strands-in-runtime", s.index, "operation " + std::to_string(static_cast<unsigned>(sync.op)));
  open_[s.e.thread].push_back(sync.op);
  switch (sync.op) {
    case SyncOp::kParallel:
      if (!teams_.try_emplace(sync.object).second)
        report_.add("team-open", s.index, "team " + std::to_string(sync.object) + " begins twice");
      return;
    case SyncOp::kImplicitTask:
      members_[s.e.thread].push_back({sync.object, 0, false});
      if (const auto team = teams_.find(sync.object); team != teams_.end())
        ++team->second.members;
      else if (!forked_)
        report_.add("team-open", s.index, "team " + std::to_string(sync.object) + " is not open");
      return;
    case SyncOp::kTeamBarrier:
      return arrive(s);
    case SyncOp::kWorkBegin:
      return work_of(sync.value).kind == WorkKind::kCopySingle ? begin_copying(s) : void();
    case SyncOp::kWorkEnd:
      return sync.value == 0 ? end_work(s) : void();
    case SyncOp::kTask:
      return begin_task(s);
    default:
      return;
  }
}

// A single with copyprivate has its barrier for all; only who executes it tells its end.
void CheckStrands::begin_copying(const Sight& s) {
  arrive(s);
  auto& members = members_[s.e.thread];
  if (!members.empty()) members.back().copying = true;
}

void CheckStrands::end_work(const Sight& s) {
  auto& members = members_[s.e.thread];
  if (!members.empty() && std::exchange(members.back().copying, false)) return;
  arrive(s);
}

void CheckStrands::leave(const Sight& s) {
  const Sync& sync = s.e.sync;
  auto& open = open_[s.e.thread];
  while (!open.empty() && open.back() != sync.op) open.pop_back();
  if (!open.empty()) open.pop_back();
  auto& members = members_[s.e.thread];
  switch (sync.op) {
    case SyncOp::kParallel:
      teams_.erase(sync.object);
      return;
    case SyncOp::kImplicitTask:
      return end_member(s);
    case SyncOp::kWorkBegin:
      if (sync.result == 0 && !members.empty()) members.back().copying = false;
      return;
    case SyncOp::kTaskData:
      if (!tasks_.try_emplace(sync.object, false).second)
        report_.add("task-begins-once", s.index, "task " + std::to_string(sync.object) + " is created twice");
      return;
    case SyncOp::kTeamBarrier:
    case SyncOp::kWorkEnd:
      if (sync.result && !members.empty()) teams_[members.back().team].cancelled = true;
      return;
    default:
      return;
  }
}

// A task inside may arrive nowhere.
void CheckStrands::arrive(const Sight& s) {
  auto& members = members_[s.e.thread];
  if (members.empty()) return;
  Team& team = teams_[members.back().team];
  team.barriers = std::max(team.barriers, ++members.back().barriers);
}

void CheckStrands::end_member(const Sight& s) {
  auto& members = members_[s.e.thread];
  if (members.empty()) return;
  const Member m = members.back();
  members.pop_back();
  const auto team = teams_.find(m.team);
  if (team == teams_.end() || team->second.cancelled || (s.e.sync.flags & kSyncUnwound)) return;
  if (m.barriers != team->second.barriers)
    report_.add("barriers-balance", s.index,
                std::to_string(m.barriers) + " barriers, another thread of team " + std::to_string(m.team) + " " +
                    std::to_string(team->second.barriers));
}

void CheckStrands::begin_task(const Sight& s) {
  const auto task = tasks_.find(s.e.sync.object);
  if (task == tasks_.end() ? !forked_ : task->second)
    report_.add(
        "task-begins-once", s.index,
        "task " + std::to_string(s.e.sync.object) + (task == tasks_.end() ? " is not created" : " begins again"));
  else if (task != tasks_.end())
    task->second = true;
}

}  // namespace cdr::trace
