// SPDX-License-Identifier: GPL-2.0-or-later
// Phases of a program with teams, for who looks for memory that strands touch at the same time
// (Sharing::touch_since()): the parallel regions, what lies between them, and in a region what lies between barriers.
// All that is done in one comes before all that is done in the next. In each a strand has a number of its own, not
// below the phase's floor.
//
// That is so as long as all other threads of the program are the runtime's, no barrier was cancelled and no task was
// created outside of any team for which nobody waits there. From then on the floor is 0: what was touched before still
// counts. Regions in a region belong to the phase in which they are.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_STRAND_PHASES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_STRAND_PHASES_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/source/phase_sharing.h"
#include "cdrgrind/analysis/strands/strand.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/id.h"

namespace cdr::races {

class StrandPhases {
 public:
  // All events but blocks, when the machine has had them.
  template <class Machine>
  void event(const Event& e, Machine& machine) {
    if (e.kind == EventKind::kThreadCreate && !machine.in_runtime(e.thread)) mix();
    const bool enter = e.kind == EventKind::kSyncEnter, leave = e.kind == EventKind::kSyncLeave;
    if (!(enter || leave) || !is_team_op(e.sync.op)) return;
    const bool outside = !has_strand(e.thread);
    if (e.sync.op == SyncOp::kParallel && outside) begin_phase();
    if (enter && e.sync.op == SyncOp::kTaskCreate && (e.sync.value & kTaskOfTarget) && outside) mix();
    if (!leave) return;
    if ((e.sync.op == SyncOp::kTeamBarrier || e.sync.op == SyncOp::kWorkEnd) && e.sync.result) mix();
    pass_barriers(e.thread, machine.phase(e.thread));
  }
  // What the machine tells its client.
  void begins(ThreadId on, const strands::Strand& s) {
    using strands::StrandKind;
    Running r;
    if (strands::lies_on_another(s.kind)) r = top(on);
    r.number = s.kind == StrandKind::kIteration ? strand(on).value : 0;
    r.part |= s.kind == StrandKind::kPart;
    r.outermost = s.kind == StrandKind::kImplicit && !s.own_frames;
    r.team = s.team;
    if (s.kind == StrandKind::kImplicit) begin_member_phase(r, 0);
    thread(on).running.push_back(r);
  }
  void ends(ThreadId on) { thread(on).running.pop_back(); }

  uint32_t floor() const { return floor_; }
  // What the thread executes; the thread itself, of what its strands use in turn.
  ThreadId strand(ThreadId t) { return number(top(t)); }
  ThreadId itself(ThreadId t) { return number(thread(t).itself); }
  bool has_strand(ThreadId t) { return !thread(t).running.empty(); }
  // Whether the thread is in a part of what is shared out; how many barriers of its team it has passed.
  bool in_part(ThreadId t) { return top(t).part; }
  uint64_t barriers(ThreadId t) { return top(t).barriers; }
  // As one among the members of its team, between two barriers of that.
  PhaseSharing::Actor member(ThreadId t) { return top(t).member; }

 private:
  struct Running {
    uint32_t number = 0;  // in the present phase, if it is not below its floor
    bool part = false, outermost = false;
    uint64_t team = 0, barriers = 0;
    PhaseSharing::Actor member;
  };
  struct Thread {
    Running itself;
    std::vector<Running> running;
  };
  struct TeamPhase {
    uint64_t barriers = 0;
    uint32_t floor = 0;
  };

  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  Running& top(ThreadId t) {
    Thread& all = thread(t);
    return all.running.empty() ? all.itself : all.running.back();
  }
  ThreadId number(Running& r) {
    if (r.number == 0 || r.number < floor_) r.number = next();
    return ThreadId(r.number);
  }
  uint32_t next() {
    constexpr uint32_t kMost = (1U << 30) - 1;  // owners of a line
    if (last_ == kMost) {
      mix();
      last_ = 0;
    }
    return ++last_;
  }
  void begin_phase() {
    const uint32_t begin = next();
    if (!mixed_) floor_ = begin;
  }
  void mix() {
    mixed_ = true;
    floor_ = 0;
  }
  void pass_barriers(ThreadId t, uint64_t barriers) {
    Running& r = top(t);
    if (r.member.number == 0 || r.part || barriers == r.barriers) return;
    const bool first = teams_[r.team].barriers != barriers;
    begin_member_phase(r, barriers);
    if (first && r.outermost && thread(t).running.size() == 1) begin_phase();
  }
  void begin_member_phase(Running& r, uint64_t barriers) {
    TeamPhase& team = teams_[r.team];
    const auto next_member = [&] { return PhaseSharing::number_of(++members_); };
    if (team.floor == 0 || team.barriers != barriers) team = {barriers, next_member()};
    r.barriers = barriers;
    r.member = {next_member(), team.floor};
  }

  std::vector<Thread> threads_;  // by thread
  std::unordered_map<uint64_t, TeamPhase> teams_;
  uint64_t members_ = 0;
  uint32_t last_ = 0, floor_ = 0;
  bool mixed_ = false;
};

}  // namespace cdr::races

#endif
