// SPDX-License-Identifier: GPL-2.0-or-later
// Counts what teams.h tells, step by step. Who follows the program's code besides may tell of the loops that threads
// go through: then what teams executed of them is counted, too.
#ifndef CDRGRIND_ANALYSIS_SYNC_TEAM_COUNTER_H
#define CDRGRIND_ANALYSIS_SYNC_TEAM_COUNTER_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/analysis/sync/teams.h"

namespace cdr::sync {

// A loop of the code, as teams have gone through it: what its members executed between entering and leaving it.
struct TeamLoopTotals {
  uint64_t region = 0;                             // event that began the first team
  std::set<uint64_t> functions;                    // of the regions
  uint64_t threads = 0;                            // of the largest team
  bool alone = true;                               // the program has asked for teams of one thread only
  Work work;                                       // the construct in which it was entered; kNone: in none
  std::map<uint64_t, ShareTotals> shares;          // by member; parts: how often it was entered
  uint64_t exclusive = 0;                          // instructions under any lock
  std::map<uint64_t, ExclusionTotals> exclusions;  // by lock

  uint64_t insns() const {
    uint64_t n = 0;
    for (const auto& [member, s] : shares) n += s.insns;
    return n;
  }
};

class TeamCounter {
 public:
  using LoopNumber = uint32_t;

  void step(const SyncStep& s);
  // `insns`: as of SyncStep. Loops of a thread lie within each other. Whether it is entered in a parallel region; one
  // for which the program asks for one thread is none.
  bool enter_loop(ThreadId t, uint64_t insns, LoopNumber loop);
  bool is_in_runtime(ThreadId t) { return in_runtime(thread(t)); }
  // Whether the thread executes code of the program in such a region.
  bool is_in_team(ThreadId t) {
    Thread& known = thread(t);
    const Member* const m = known.member();
    return m && !m->team->alone && !in_runtime(known);
  }
  void leave_loop(ThreadId t, uint64_t insns, LoopNumber loop, uint64_t iterations);

  // By first event.
  std::vector<RegionTotals> take();
  std::map<LoopNumber, TeamLoopTotals> take_loops();

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
    uint64_t begin = 0;  // event
    uint64_t size = 0;   // members that have begun
    bool alone = false;  // the program asks for one thread
    std::map<uint64_t, Arrivals> phases;
    Arrivals end;
    std::map<uint64_t, size_t> met;  // by member: constructs; the run of a construct is counted once
    std::set<LoopNumber> loops;
  };
  struct Member {
    std::shared_ptr<Team> team;
    uint64_t number = 0, phase = 0;
    uint64_t insns = 0;         // of the phase
    size_t work = 0, part = 0;  // 1 + index of the construct whose part it executes; 1: it is in one
    uint64_t constructs = 0;
    Work construct;  // that it is in
    std::vector<uint64_t> locks;
    bool copying = false;
    int64_t step = 1;  // of the loop: gcc's library tells it with the first chunk alone
  };
  struct Open {
    SyncOp op = SyncOp::kNone;
    uint64_t object = 0, value = 0;
    std::shared_ptr<Team> team;
  };
  struct OpenLoop {
    LoopNumber number = 0;
    uint64_t done = 0;  // by its thread before
    uint64_t member = 0;
    TeamLoopTotals* totals = nullptr;  // null: it is in no team, or within itself
  };
  struct Thread {
    uint64_t counted = 0;
    uint64_t done = 0;  // instructions of the program
    bool of_runtime = false;
    std::vector<Open> open;
    std::vector<Member> members;
    std::optional<Member> last;  // whose region has not ended: the thread executes tasks of it until then
    std::vector<OpenLoop> loops;
    Member* member() { return last ? &*last : members.empty() ? nullptr : &members.back(); }
  };

  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  static bool in_runtime(const Thread& t) {
    return t.open.empty() ? t.of_runtime : !is_team_callback(t.open.back().op);
  }
  static void count(Thread& t, uint64_t insns);
  static void execute(Thread& t, uint64_t insns);
  void enter(Thread& t, const SyncStep& s);
  void begin_member(Thread& t, const Sync& sync);
  void leave(Thread& t, const Sync& sync);
  std::shared_ptr<Team> begin_team(const SyncStep& s);
  void end_team(Team& team);
  void end_loops(const Team& team);
  static void end_last(Thread& t);
  static void begin_work(Member& m, const SyncStep& s);
  static void get_part(Member& m, const Sync& left);

  std::vector<Thread> threads_;                          // by id
  std::map<uint64_t, std::shared_ptr<Region>> regions_;  // by function
  std::map<uint64_t, std::shared_ptr<Team>> teams_;      // open ones
  std::map<LoopNumber, TeamLoopTotals> loops_;
};

}  // namespace cdr::sync

#endif
