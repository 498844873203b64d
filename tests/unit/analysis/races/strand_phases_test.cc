// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/strand_phases.h"

#include <map>

#include "cdrgrind/analysis/races/source/sharing.h"
#include "tests/unit/catch.h"

namespace cdr::races {
namespace {

using strands::StrandKind;

constexpr ThreadId kFirst(1), kSecond(2);

strands::Strand strand(StrandKind kind, uint64_t team) {
  strands::Strand s;
  s.kind = kind;
  s.team = team;
  return s;
}

struct Machine {
  std::map<ThreadId, uint64_t> barriers;  // that members have passed
  bool in_runtime(ThreadId) const { return false; }
  uint64_t phase(ThreadId t) { return barriers[t]; }
};

// A team of two threads, and one line of memory that they touch.
struct Run {
  StrandPhases phases;
  Machine machine;
  Sharing sharing;

  Run() { begin_region(7); }
  void tell(EventKind kind, ThreadId t, SyncOp op, uint64_t value = 0, int64_t result = 0) {
    Event e;
    e.kind = kind;
    e.thread = t;
    e.sync.op = op;
    e.sync.value = value;
    e.sync.result = result;
    phases.event(e, machine);
  }
  void begin_region(uint64_t team) {
    tell(EventKind::kSyncEnter, kFirst, SyncOp::kParallel);
    for (const ThreadId t : {kFirst, kSecond}) phases.begins(t, strand(StrandKind::kImplicit, team));
    machine.barriers.clear();
  }
  void end_region() {
    for (const ThreadId t : {kFirst, kSecond}) phases.ends(t);
    tell(EventKind::kSyncLeave, kFirst, SyncOp::kParallel);
  }
  void pass(ThreadId t) {
    ++machine.barriers[t];
    tell(EventKind::kSyncLeave, t, SyncOp::kTeamBarrier);
  }
  void pass() {
    for (const ThreadId t : {kFirst, kSecond}) pass(t);
  }
  bool touch(ThreadId t, bool store, bool in_turn = false) {
    const ThreadId by = in_turn ? phases.itself(t) : phases.strand(t);
    sharing.touch_since(by, phases.floor(), kAddr, 8, store);
    return sharing.shared(kAddr, 8);
  }
  bool free(ThreadId t) {
    sharing.touch_known_since(phases.strand(t), phases.floor(), kAddr, 8);
    return sharing.shared(kAddr, 8);
  }
  static constexpr uint64_t kAddr = 0x1000;
};

}  // namespace

TEST_CASE("memory is shared that two members of a team touch between two barriers, one with a store") {
  Run run;
  CHECK_FALSE(run.touch(kFirst, true));
  SECTION("without a barrier") { CHECK(run.touch(kSecond, false)); }
  SECTION("the same member") { CHECK_FALSE(run.touch(kFirst, false)); }
  SECTION("behind a barrier") {
    run.pass();
    CHECK_FALSE(run.touch(kSecond, true));
    CHECK(run.touch(kFirst, false));
  }
  SECTION("one has passed the barrier before the other says so") {
    run.pass(kFirst);
    CHECK_FALSE(run.touch(kFirst, true));
    run.pass(kSecond);
    CHECK(run.touch(kSecond, false));
  }
  SECTION("loads alone, and a store behind the barrier") {
    run.pass();
    CHECK_FALSE(run.touch(kFirst, false));
    CHECK_FALSE(run.touch(kSecond, false));
    run.pass();
    CHECK_FALSE(run.touch(kSecond, true));
    CHECK(run.phases.floor() > 0);
  }
}

TEST_CASE("what is behind a region, and the next region, comes behind it") {
  Run run;
  run.touch(kSecond, true);
  run.end_region();
  CHECK_FALSE(run.touch(kFirst, true));
  run.begin_region(8);
  CHECK_FALSE(run.touch(kSecond, true));
  CHECK(run.touch(kFirst, false));
  CHECK(run.phases.floor() > 0);
}

TEST_CASE("a chunk and a task are others than whose thread executes them, but for its stack; an iteration is not") {
  for (const StrandKind kind : {StrandKind::kPart, StrandKind::kTask, StrandKind::kIteration}) {
    Run run;
    run.touch(kFirst, true);
    run.phases.begins(kFirst, strand(kind, 7));
    CHECK(run.touch(kFirst, false) == (kind != StrandKind::kIteration));
  }
  Run run;
  run.touch(kFirst, true, true);
  run.phases.begins(kFirst, strand(StrandKind::kPart, 7));
  CHECK_FALSE(run.touch(kFirst, false, true));
}

TEST_CASE("a region in a region lies in one phase of the outer one, whatever its own barriers") {
  Run run;
  run.pass();
  run.touch(kSecond, true);
  run.tell(EventKind::kSyncEnter, kFirst, SyncOp::kParallel);
  run.phases.begins(kFirst, strand(StrandKind::kImplicit, 9));
  run.machine.barriers[kFirst] = 0;
  const PhaseSharing::Actor before = run.phases.member(kFirst);
  run.pass(kFirst);
  CHECK(run.phases.member(kFirst).floor > before.number);
  CHECK(run.touch(kFirst, false));
  CHECK(run.phases.floor() > 0);
}

TEST_CASE("freed memory is shared with who touched it in the same phase") {
  Run run;
  run.touch(kFirst, false);
  SECTION("in the same one") { CHECK(run.free(kSecond)); }
  SECTION("behind a barrier") {
    run.pass();
    CHECK_FALSE(run.free(kSecond));
  }
}

TEST_CASE("there are no phases any more where something is in no order with them") {
  Run run;
  run.touch(kFirst, true);
  SECTION("a thread of the program's own") {
    Event e;
    e.kind = EventKind::kThreadCreate;
    e.thread = kFirst;
    e.child = ThreadId(3);
    run.phases.event(e, run.machine);
  }
  SECTION("a cancelled barrier") { run.tell(EventKind::kSyncLeave, kFirst, SyncOp::kTeamBarrier, 0, 1); }
  SECTION("a cancelled loop") { run.tell(EventKind::kSyncLeave, kFirst, SyncOp::kWorkEnd, 0, 1); }
  SECTION("a task of no team for which nobody waits") {
    run.tell(EventKind::kSyncEnter, ThreadId(3), SyncOp::kTaskCreate, kTaskOfTarget);
  }
  CHECK(run.phases.floor() == 0);
  run.pass();
  CHECK(run.phases.floor() == 0);
  CHECK(run.touch(kSecond, false));
}

TEST_CASE("other tasks leave phases as they are") {
  Run run;
  run.tell(EventKind::kSyncEnter, kFirst, SyncOp::kTaskCreate, kTaskOfTarget);
  run.end_region();
  run.tell(EventKind::kSyncEnter, kFirst, SyncOp::kTaskCreate, 0);
  run.phases.begins(kFirst, strand(StrandKind::kTask, 0));
  CHECK(run.phases.floor() > 0);
}

}  // namespace cdr::races
