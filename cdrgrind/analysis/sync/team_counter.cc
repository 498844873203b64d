// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/team_counter.h"

#include <algorithm>

namespace cdr::sync {

namespace {

// Bounds differ from run to run in some loops: those are one from then on.
constexpr size_t kMostWorks = 1000;

void note(uint64_t member, uint64_t& insns, auto& at) { at.insns.emplace_back(member, std::exchange(insns, 0)); }

void settle(RegionTotals& totals, auto& at) {
  uint64_t most = 0;
  for (const auto& [member, insns] : at.insns) most = std::max(most, insns);
  for (const auto& [member, insns] : at.insns) {
    totals.members[member].insns += insns;
    totals.members[member].waited += most - insns;
  }
  at.insns.clear();
}

void arrive(auto& m) { ++m.team->phases[m.phase].inside; }

void pass(auto& m) {
  const auto phase = m.team->phases.find(m.phase++);
  if (phase == m.team->phases.end()) return;
  note(m.number, m.insns, phase->second);
  if (phase->second.insns.size() < phase->second.inside) return;
  ++m.team->region->totals.barriers;
  settle(m.team->region->totals, phase->second);
  m.team->phases.erase(phase);
}

}  // namespace

void TeamCounter::step(const SyncStep& s) {
  Thread& t = thread(s.thread);
  count(t, s.insns);
  if (s.kind == EventKind::kThreadCreate && in_runtime(t)) thread(s.child).of_runtime = true;
  if (s.kind == EventKind::kSyncEnter && is_team_op(s.sync.op)) enter(t, s);
  if (s.kind == EventKind::kSyncLeave && is_team_op(s.sync.op)) leave(t, s.sync);
}

std::vector<RegionTotals> TeamCounter::take() {
  std::vector<RegionTotals> all;
  for (auto& [function, region] : regions_) {
    auto& works = region->totals.works;
    std::sort(works.begin(), works.end(), [](const auto& a, const auto& b) { return a.first_event < b.first_event; });
    all.push_back(std::move(region->totals));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first_event < b.first_event; });
  return all;
}

std::map<TeamCounter::LoopNumber, TeamLoopTotals> TeamCounter::take_loops() {
  for (const auto& [number, team] : teams_) end_loops(*team);
  return std::move(loops_);
}

void TeamCounter::count(Thread& t, uint64_t insns) {
  const uint64_t done = insns - std::exchange(t.counted, insns);
  if (!in_runtime(t)) execute(t, done);
}

void TeamCounter::execute(Thread& t, uint64_t insns) {
  t.done += insns;
  Member* const m = t.member();
  if (!m) return;
  m->insns += insns;
  RegionTotals& totals = m->team->region->totals;
  if (m->part) totals.works[m->work - 1].shares[m->number].insns += insns;
  for (const uint64_t lock : m->locks) totals.exclusions[lock].insns += insns;
  if (m->locks.empty()) return;
  for (const OpenLoop& l : t.loops) {
    if (!l.totals) continue;
    l.totals->exclusive += insns;
    for (const uint64_t lock : m->locks) {
      const ExclusionTotals& known = totals.exclusions[lock];
      ExclusionTotals& e =
          l.totals->exclusions.try_emplace(lock, ExclusionTotals{known.kind, known.first_event, 0, 0}).first->second;
      e.insns += insns;
    }
  }
}

// --- loops ---

bool TeamCounter::enter_loop(ThreadId id, uint64_t insns, LoopNumber loop) {
  Thread& t = thread(id);
  count(t, insns);
  Member* const m = t.member();
  t.loops.push_back({loop, t.done, m ? m->number : 0, nullptr});
  const bool within =
      std::any_of(t.loops.begin(), t.loops.end() - 1, [&](const OpenLoop& l) { return l.number == loop; });
  if (!m) return false;
  if (within) return !m->team->alone;
  TeamLoopTotals& totals = loops_.try_emplace(loop).first->second;
  if (totals.shares.empty()) totals.region = m->team->begin;
  if (totals.work.kind == WorkKind::kNone) totals.work = m->construct;
  totals.functions.insert(m->team->region->totals.function);
  totals.alone &= m->team->alone;
  ++totals.shares[m->number].parts;
  m->team->loops.insert(loop);
  t.loops.back().totals = &totals;
  return !m->team->alone;
}

// Those within it have been left, too, if nobody has told.
void TeamCounter::leave_loop(ThreadId id, uint64_t insns, LoopNumber loop, uint64_t iterations) {
  Thread& t = thread(id);
  count(t, insns);
  const auto known =
      std::find_if(t.loops.rbegin(), t.loops.rend(), [&](const OpenLoop& l) { return l.number == loop; });
  if (known == t.loops.rend()) return;
  if (known->totals) {
    ShareTotals& share = known->totals->shares[known->member];
    share.iterations += iterations;
    share.insns += t.done - known->done;
  }
  t.loops.erase(known.base() - 1, t.loops.end());
}

void TeamCounter::end_loops(const Team& team) {
  for (const LoopNumber loop : team.loops) loops_[loop].threads = std::max(loops_[loop].threads, team.size);
}

// --- operations ---

void TeamCounter::enter(Thread& t, const SyncStep& s) {
  const Sync& sync = s.sync;
  t.open.push_back({sync.op, sync.object, sync.value, nullptr});
  Member* const m = t.member();
  switch (sync.op) {
    case SyncOp::kParallel:
      t.open.back().team = begin_team(s);
      return;
    case SyncOp::kImplicitTask:
      end_last(t);
      return begin_member(t, sync);
    case SyncOp::kTeamBarrier:
      return m ? arrive(*m) : void();
    case SyncOp::kWorkBegin:
      return m ? begin_work(*m, s) : void();
    case SyncOp::kWorkNext:
      if (m) m->part = 0;
      return;
    case SyncOp::kWorkEnd:
      if (m) m->part = m->work = 0, m->construct = {};
      if (m && sync.value == 0 && !std::exchange(m->copying, false)) arrive(*m);
      return;
    case SyncOp::kExclusiveEnd:
      if (m) std::erase(m->locks, sync.object);
      return;
    case SyncOp::kExclusiveBegin:
      if (m && static_cast<ExclusiveKind>(sync.value) != ExclusiveKind::kOrdered) {
        ExclusionTotals& e = m->team->region->totals.exclusions[sync.object];
        if (e.sections == 0 && e.first_event == 0) e.first_event = s.index;
        e.kind = static_cast<ExclusiveKind>(sync.value);
      }
      return;
    case SyncOp::kTask:
      if (m) ++m->team->region->totals.members[m->number].tasks;
      return;
    default:
      return;
  }
}

void TeamCounter::leave(Thread& t, const Sync& sync) {
  while (!t.open.empty() && t.open.back().op != sync.op) t.open.pop_back();
  if (t.open.empty()) return;
  const Open open = std::move(t.open.back());
  t.open.pop_back();
  Member* const m = t.member();
  switch (sync.op) {
    case SyncOp::kParallel:
      return end_team(*open.team);
    case SyncOp::kImplicitTask:
      if (t.members.empty()) return;
      end_last(t);
      t.last = std::move(t.members.back());
      t.last->part = t.last->work = 0;
      t.members.pop_back();
      return;
    case SyncOp::kTeamBarrier:
      return m && !sync.result ? pass(*m) : void();
    case SyncOp::kWorkBegin:
    case SyncOp::kWorkNext:
      return m ? get_part(*m, sync) : void();
    case SyncOp::kWorkEnd:
      return m && open.value == 0 && !sync.result ? pass(*m) : void();
    case SyncOp::kExclusiveBegin:
      if (m && sync.result && static_cast<ExclusiveKind>(open.value) != ExclusiveKind::kOrdered) {
        ++m->team->region->totals.exclusions[open.object].sections;
        if (std::find(m->locks.begin(), m->locks.end(), open.object) == m->locks.end()) m->locks.push_back(open.object);
      }
      return;
    default:
      return;
  }
}

void TeamCounter::begin_member(Thread& t, const Sync& sync) {
  const auto team = teams_.find(sync.object);
  if (team == teams_.end()) return;
  team->second->size = std::max(team->second->size, sync.value + 1);
  t.members.emplace_back();
  t.members.back().team = team->second;
  t.members.back().number = sync.value;
}

std::shared_ptr<TeamCounter::Team> TeamCounter::begin_team(const SyncStep& s) {
  auto& region = regions_[s.sync.object2];
  if (!region) {
    region = std::make_shared<Region>();
    region->totals.function = s.sync.object2;
    region->totals.first_event = s.index;
    region->totals.league = s.sync.value & kLeague;
  }
  ++region->totals.runs;
  auto team = std::make_shared<Team>();
  team->region = region;
  team->begin = s.index;
  team->alone = s.sync.value == 1;
  return teams_[s.sync.object] = team;
}

void TeamCounter::end_last(Thread& t) {
  if (t.last) note(t.last->number, t.last->insns, t.last->team->end);
  t.last.reset();
}

void TeamCounter::end_team(Team& team) {
  for (Thread& t : threads_)
    if (t.last && t.last->team.get() == &team) end_last(t);
  end_loops(team);
  settle(team.region->totals, team.end);
  for (auto& [phase, arrivals] : team.phases) settle(team.region->totals, arrivals);
  for (auto at = teams_.begin(); at != teams_.end(); ++at)
    if (at->second.get() == &team) {
      teams_.erase(at);
      return;
    }
}

void TeamCounter::begin_work(Member& m, const SyncStep& s) {
  const Work work = work_of(s.sync.value);
  m.part = m.work = 0;
  m.construct = work;
  m.step = 1;
  m.copying = work.kind == WorkKind::kCopySingle;
  if (m.copying) arrive(m);
  if (work.kind != WorkKind::kLoop && work.kind != WorkKind::kSections) return;
  Region& region = *m.team->region;
  WorkKey key{s.sync.value, s.sync.object, s.sync.object2};
  if (region.works.size() >= kMostWorks && !region.works.contains(key)) key = {s.sync.value, 0, 0};
  const auto [at, added] = region.works.try_emplace(key, region.totals.works.size());
  if (added) region.totals.works.push_back({work, s.index, 0, {}});
  m.work = at->second + 1;
  region.totals.works[at->second].shares[m.number];  // it may get nothing
  // All members come to the constructs in one order.
  size_t& met = m.team->met[++m.constructs];
  if (met++ == 0) ++region.totals.works[at->second].runs;
}

void TeamCounter::get_part(Member& m, const Sync& left) {
  if (m.copying && left.result == 0) {
    m.copying = false;
    return pass(m);
  }
  m.part = m.work != 0;
  if (m.work == 0 || left.result == 0) return;
  WorkTotals& work = m.team->region->totals.works[m.work - 1];
  ShareTotals& share = work.shares[m.number];
  ++share.parts;
  if (work.work.kind != WorkKind::kLoop) return;
  if (left.result != 1) m.step = left.result;
  const int64_t step = m.step, span = static_cast<int64_t>(left.value - left.object2);
  const int64_t count = step > 0 ? (span + step - 1) / step : (span + step + 1) / step;
  share.iterations += count > 0 ? static_cast<uint64_t>(count) : 1;
}

}  // namespace cdr::sync
