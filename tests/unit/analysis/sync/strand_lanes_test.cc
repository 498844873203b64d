// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/strand_lanes.h"

#include "tests/unit/catch.h"

namespace cdr::sync {
namespace {

using Lanes = std::vector<uint32_t>;

struct Log {
  StrandLanes lanes;
  uint64_t index = 0;

  StrandStep enter(uint32_t thread, SyncOp op, uint64_t object = 0, uint64_t value = 0) {
    return step(EventKind::kSyncEnter, thread, {op, 0, object, 0, value, 0});
  }
  StrandStep leave(uint32_t thread, SyncOp op, int64_t result = 0, uint64_t object = 0) {
    return step(EventKind::kSyncLeave, thread, {op, 0, object, 0, 0, result});
  }
  StrandStep step(EventKind kind, uint32_t thread, const Sync& sync) {
    SyncStep s;
    s.index = ++index;
    s.thread = ThreadId(thread);
    s.kind = kind;
    s.sync = sync;
    return lanes.step(s);
  }
  void create(uint32_t thread, uint64_t function, uint64_t task) {
    enter(thread, SyncOp::kTaskCreate, function);
    enter(thread, SyncOp::kTaskData, task);
    leave(thread, SyncOp::kTaskData, 0, task);
    leave(thread, SyncOp::kTaskCreate);
  }
  const StrandLane& lane(uint32_t number) const { return lanes.lanes()[number - 1]; }
};

TEST_CASE("members of teams share lanes by number, from one team to the next") {
  Log log;
  Lanes before;
  for (const uint64_t team : {1, 2}) {
    const uint32_t main = log.enter(1, SyncOp::kParallel, team, 2).lane;
    const StrandStep first = log.enter(1, SyncOp::kImplicitTask, team, 0);
    const StrandStep second = log.enter(2, SyncOp::kImplicitTask, team, 1);
    CHECK(first.from.lanes == Lanes{main});
    CHECK(second.from.lanes == Lanes{main});
    CHECK(log.leave(1, SyncOp::kImplicitTask).lane == first.lane);
    CHECK(log.leave(2, SyncOp::kImplicitTask).lane == second.lane);
    const StrandStep end = log.leave(1, SyncOp::kParallel);
    CHECK(end.lane == main);
    CHECK(end.from.lanes == Lanes{first.lane, second.lane});
    const Lanes now{main, first.lane, second.lane};
    if (team == 2) CHECK(now == before);
    before = now;
  }
  CHECK(log.lane(before[1]).strands == 2);
  CHECK(log.lane(before[2]).member == 1);
  CHECK(log.lane(before[2]).parent == before[0]);
}

TEST_CASE("what a task does is its own, whichever thread executes it, and equal tasks share a lane") {
  Log log;
  log.enter(1, SyncOp::kParallel, 1, 2);
  const uint32_t creator = log.enter(1, SyncOp::kImplicitTask, 1, 0).lane;
  log.enter(2, SyncOp::kImplicitTask, 1, 1);
  log.create(1, 0x400, 7);
  log.create(1, 0x400, 8);
  log.create(1, 0x500, 9);
  log.enter(2, SyncOp::kTeamBarrier);
  const StrandStep on_second = log.enter(2, SyncOp::kTask, 7);
  CHECK(on_second.from.lanes == Lanes{creator});
  CHECK(on_second.begins);
  CHECK(on_second.task == 7);
  log.enter(2, SyncOp::kExclusiveBegin, 1);
  CHECK(log.leave(2, SyncOp::kExclusiveBegin, 1).from.lanes.empty());
  CHECK(log.enter(2, SyncOp::kExclusiveEnd, 1).lane == on_second.lane);
  log.leave(2, SyncOp::kExclusiveEnd);
  const StrandStep on_first = log.enter(1, SyncOp::kTask, 8);
  CHECK(on_first.lane == on_second.lane);
  CHECK_FALSE(on_first.begins);  // another of the lane is under way
  log.enter(1, SyncOp::kExclusiveBegin, 1);
  CHECK(log.leave(1, SyncOp::kExclusiveBegin, 1).from.lanes == Lanes{on_second.lane});
  log.leave(1, SyncOp::kTask);
  CHECK(log.leave(2, SyncOp::kTask).ends);
  CHECK(log.enter(1, SyncOp::kTask, 9).lane != on_first.lane);
  log.leave(1, SyncOp::kTask);
  log.enter(1, SyncOp::kTaskwait);
  const StrandStep waited = log.leave(1, SyncOp::kTaskwait);
  CHECK(waited.lane == creator);
  CHECK(waited.from.lanes.size() == 2);
  CHECK(log.lane(on_first.lane).strands == 2);
}

TEST_CASE("threads of the runtime have no begin and no end") {
  Log log;
  log.enter(1, SyncOp::kParallel, 1, 2);
  SyncStep made;
  made.kind = EventKind::kThreadCreate;
  made.thread = ThreadId(1);
  made.child = ThreadId(2);
  log.lanes.step(made);
  CHECK(log.step(EventKind::kThreadStart, 2, {}).lane == 0);
  CHECK(log.step(EventKind::kThreadStart, 3, {}).lane != 0);
}

}  // namespace
}  // namespace cdr::sync
