// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/teams.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::sync {

namespace {

// Bounds differ from run to run in some loops: those are one from then on.
constexpr size_t kMostWorks = 1000;

class TeamCounter {
 public:
  void step(const SyncStep& s) {
    Thread& t = thread(s.thread);
    const uint64_t done = s.insns - t.counted;
    t.counted = s.insns;
    if (!in_runtime(t)) execute(t, done);
    if (s.kind == EventKind::kThreadCreate && in_runtime(t)) thread(s.child).of_runtime = true;
    if (s.kind == EventKind::kSyncEnter && is_team_op(s.sync.op)) enter(t, s);
    if (s.kind == EventKind::kSyncLeave && is_team_op(s.sync.op)) leave(t, s.sync);
  }

  std::vector<RegionTotals> take() {
    std::vector<RegionTotals> all;
    for (auto& [function, region] : regions_) {
      auto& works = region->totals.works;
      std::sort(works.begin(), works.end(), [](const auto& a, const auto& b) { return a.first_event < b.first_event; });
      all.push_back(std::move(region->totals));
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first_event < b.first_event; });
    return all;
  }

 private:
  using WorkKey = std::tuple<uint64_t, uint64_t, uint64_t>;  // value, bounds
  struct Region {
    RegionTotals totals;
    std::map<WorkKey, size_t> works;  // in totals.works
  };
  struct Arrivals {
    uint64_t inside = 0;
    std::vector<std::pair<uint64_t, uint64_t>> insns;  // member, before the barrier
  };
  struct Team {
    std::shared_ptr<Region> region;
    std::map<uint64_t, Arrivals> phases;
    Arrivals end;
    std::map<uint64_t, size_t> met;  // by member: constructs; the run of a construct is counted once
  };
  struct Member {
    std::shared_ptr<Team> team;
    uint64_t number = 0, phase = 0;
    uint64_t insns = 0;         // of the phase
    size_t work = 0, part = 0;  // 1 + index of the construct whose part it executes; 1: it is in one
    uint64_t constructs = 0;
    std::vector<uint64_t> locks;
    bool copying = false;
    int64_t step = 1;  // of the loop: gcc's library tells it with the first chunk alone
  };
  struct Open {
    SyncOp op = SyncOp::kNone;
    uint64_t object = 0, value = 0;
    std::shared_ptr<Team> team;
  };
  struct Thread {
    uint64_t counted = 0;
    bool of_runtime = false;
    std::vector<Open> open;
    std::vector<Member> members;
    std::optional<Member> last;  // whose region has not ended: the thread executes tasks of it until then
    Member* member() { return last ? &*last : members.empty() ? nullptr : &members.back(); }
  };

  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  static bool in_runtime(const Thread& t) {
    return t.open.empty() ? t.of_runtime : !is_team_callback(t.open.back().op);
  }

  static void execute(Thread& t, uint64_t insns) {
    Member* const m = t.member();
    if (!m) return;
    m->insns += insns;
    RegionTotals& totals = m->team->region->totals;
    if (m->part) totals.works[m->work - 1].shares[m->number].insns += insns;
    for (const uint64_t lock : m->locks) totals.exclusions[lock].insns += insns;
  }

  void enter(Thread& t, const SyncStep& s) {
    const Sync& sync = s.sync;
    t.open.push_back({sync.op, sync.object, sync.value, nullptr});
    Member* const m = t.member();
    switch (sync.op) {
      case SyncOp::kParallel:
        t.open.back().team = begin_team(s);
        return;
      case SyncOp::kImplicitTask:
        end_last(t);
        if (const auto team = teams_.find(sync.object); team != teams_.end())
          t.members.push_back({team->second, sync.value, 0, 0, 0, 0, 0, {}, false, 1});
        return;
      case SyncOp::kTeamBarrier:
        return m ? arrive(*m) : void();
      case SyncOp::kWorkBegin:
        return m ? begin_work(*m, s) : void();
      case SyncOp::kWorkNext:
        if (m) m->part = 0;
        return;
      case SyncOp::kWorkEnd:
        if (m) m->part = m->work = 0;
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
  void leave(Thread& t, const Sync& sync) {
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
          if (std::find(m->locks.begin(), m->locks.end(), open.object) == m->locks.end())
            m->locks.push_back(open.object);
        }
        return;
      default:
        return;
    }
  }

  std::shared_ptr<Team> begin_team(const SyncStep& s) {
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
    return teams_[s.sync.object] = team;
  }
  static void end_last(Thread& t) {
    if (t.last) note(*t.last, t.last->team->end);
    t.last.reset();
  }
  void end_team(Team& team) {
    for (Thread& t : threads_)
      if (t.last && t.last->team.get() == &team) end_last(t);
    settle(team.region->totals, team.end);
    for (auto& [phase, arrivals] : team.phases) settle(team.region->totals, arrivals);
    for (auto at = teams_.begin(); at != teams_.end(); ++at)
      if (at->second.get() == &team) {
        teams_.erase(at);
        return;
      }
  }
  static void arrive(Member& m) { ++m.team->phases[m.phase].inside; }
  static void pass(Member& m) {
    const auto phase = m.team->phases.find(m.phase++);
    if (phase == m.team->phases.end()) return;
    note(m, phase->second);
    if (phase->second.insns.size() < phase->second.inside) return;
    ++m.team->region->totals.barriers;
    settle(m.team->region->totals, phase->second);
    m.team->phases.erase(phase);
  }
  static void note(Member& m, Arrivals& at) { at.insns.emplace_back(m.number, std::exchange(m.insns, 0)); }
  static void settle(RegionTotals& totals, Arrivals& at) {
    uint64_t most = 0;
    for (const auto& [member, insns] : at.insns) most = std::max(most, insns);
    for (const auto& [member, insns] : at.insns) {
      totals.members[member].insns += insns;
      totals.members[member].waited += most - insns;
    }
    at.insns.clear();
  }

  static void begin_work(Member& m, const SyncStep& s) {
    const Work work = work_of(s.sync.value);
    m.part = m.work = 0;
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
    // All members come to the constructs in one order.
    size_t& met = m.team->met[++m.constructs];
    if (met++ == 0) ++region.totals.works[at->second].runs;
  }
  static void get_part(Member& m, const Sync& left) {
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

  std::vector<Thread> threads_;                          // by id
  std::map<uint64_t, std::shared_ptr<Region>> regions_;  // by function
  std::map<uint64_t, std::shared_ptr<Team>> teams_;      // open ones
};

}  // namespace

std::vector<RegionTotals> count_teams(const trace::TraceFile& file, uint64_t end) {
  if (!has_operation(file, is_team_op)) return {};
  TeamCounter counter;
  for_each_sync_step(
      file, [&](const SyncStep& s) { counter.step(s); }, end);
  return counter.take();
}

}  // namespace cdr::sync
