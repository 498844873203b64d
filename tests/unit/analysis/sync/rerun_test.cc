// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/rerun.h"

#include "cdrgrind/analysis/sync/history_maker.h"

#include "tests/unit/catch.h"

namespace cdr::sync {
namespace {

constexpr uint64_t kA = 8, kB = 16, kCondition = 24;

// Steps in true order; `insns` counts for the thread alone.
struct Run {
  HistoryMaker maker;
  uint64_t index = 0;

  void step(EventKind kind, uint32_t thread, uint64_t insns, const Sync& sync = {}, uint32_t child = 0) {
    SyncStep s;
    s.index = ++index;
    s.thread = ThreadId(thread);
    s.kind = kind;
    s.insns = insns;
    s.sync = sync;
    s.child = ThreadId(child);
    maker.step(s);
  }
  void enter(uint32_t t, uint64_t insns, SyncOp op, uint64_t object, uint64_t object2 = 0) {
    step(EventKind::kSyncEnter, t, insns, {op, 0, object, object2, 0, 0});
  }
  void leave(uint32_t t, uint64_t insns, SyncOp op, uint64_t object, uint64_t object2 = 0) {
    step(EventKind::kSyncLeave, t, insns, {op, 0, object, object2, 0, 0});
  }
  void whole(uint32_t t, uint64_t insns, SyncOp op, uint64_t object) {
    enter(t, insns, op, object);
    leave(t, insns, op, object);
  }
  void lock(uint32_t t, uint64_t insns, uint64_t object) { whole(t, insns, SyncOp::kMutexLock, object); }
  void unlock(uint32_t t, uint64_t insns, uint64_t object) { whole(t, insns, SyncOp::kMutexUnlock, object); }
  void end(uint32_t t, uint64_t insns) { step(EventKind::kThreadEnd, t, insns); }
};

using Waits = std::vector<uint64_t>;

TEST_CASE("who comes later waits for who has the lock, though in the run nobody did", "[rerun]") {
  Run run;
  run.lock(1, 100, kA);
  run.unlock(1, 110, kA);
  run.end(1, 120);
  run.lock(2, 105, kA);
  run.unlock(2, 115, kA);
  run.end(2, 115);
  const History history = run.maker.take();
  const Rerun again = carry_out(history);
  CHECK(again.ended);
  CHECK(again.asked == Waits{0, 5});
  CHECK(again.behind == std::vector<uint32_t>{kNone, 0});
  CHECK(again.length == 120);
  CHECK(history.sections[1].insns == 10);
  CHECK_FALSE(history.sections[1].contended);
}

TEST_CASE("a lock goes to whoever asks first, not to who had it first in the run", "[rerun]") {
  Run run;
  run.lock(1, 50, kA);
  run.unlock(1, 60, kA);
  run.end(1, 60);
  run.lock(2, 55, kA);
  run.unlock(2, 90, kA);
  run.end(2, 90);
  run.lock(3, 10, kA);
  run.unlock(3, 70, kA);
  run.end(3, 70);
  // 3 has it from 10 to 70, then 1, who asked at 50, until 80, then 2, who asked at 55.
  const Rerun again = carry_out(run.maker.take());
  CHECK(again.asked == Waits{20, 25, 0});
  CHECK(again.length == 115);
}

TEST_CASE("readers have a lock together", "[rerun]") {
  Run run;
  for (const uint32_t t : {1u, 2u}) {
    run.whole(t, 10, SyncOp::kRwReadLock, kA);
    run.whole(t, 30, SyncOp::kRwUnlock, kA);
  }
  run.whole(3, 20, SyncOp::kRwWriteLock, kA);
  run.whole(3, 25, SyncOp::kRwUnlock, kA);
  CHECK(carry_out(run.maker.take()).asked == Waits{0, 0, 10});
}

TEST_CASE("a thread starts when it is created, and waiting for it is idle", "[rerun]") {
  Run run;
  run.step(EventKind::kThreadStart, 1, 0);
  run.step(EventKind::kThreadCreate, 1, 40, {}, 2);
  run.step(EventKind::kThreadStart, 2, 0, {}, 1);
  run.end(2, 100);
  run.enter(1, 50, SyncOp::kThreadJoin, 99);
  run.step(EventKind::kSyncLeave, 1, 50, {SyncOp::kThreadJoin, 0, 99, 0, 2, 0});
  run.end(1, 60);
  const Rerun again = carry_out(run.maker.take());
  CHECK(again.idle == Waits{0, 90});
  CHECK(again.length == 150);
}

TEST_CASE("a wait on a condition gives the mutex away and has it again behind the signal", "[rerun]") {
  Run run;
  run.lock(1, 10, kA);
  run.enter(1, 20, SyncOp::kCondWait, kCondition, kA);
  run.lock(2, 15, kA);
  run.whole(2, 30, SyncOp::kCondSignal, kCondition);
  run.unlock(2, 35, kA);
  run.leave(1, 20, SyncOp::kCondWait, kCondition, kA);
  run.unlock(1, 22, kA);
  const History history = run.maker.take();
  REQUIRE(history.sections.size() == 3);
  CHECK(history.sections[0].until_wait == 0);
  CHECK(history.sections[2].by_wait == 0);
  CHECK(history.signals[0].section == 1);
  // 2 asks at 15 and gets the mutex when 1 waits, at 20: its clock is 5 behind. It signals at 35, unlocks at 40.
  const Rerun again = carry_out(history);
  CHECK(again.asked == Waits{0, 5, 5});
  CHECK(again.idle == Waits{15});
  CHECK(again.length == 42);
}

TEST_CASE("locks in both orders come to a stand, and that is said", "[rerun]") {
  Run run;
  for (const uint32_t t : {1u, 2u}) {
    const uint64_t first = t == 1 ? kA : kB, second = t == 1 ? kB : kA;
    run.lock(t, 10, first);
    run.lock(t, 20, second);
    run.unlock(t, 30, second);
    run.unlock(t, 40, first);
    run.end(t, 50);
  }
  CHECK_FALSE(carry_out(run.maker.take()).ended);
}

TEST_CASE("who never unlocks has the lock no longer when another gets it", "[rerun]") {
  Run run;
  run.lock(1, 10, kA);
  run.end(1, 20);
  run.lock(2, 15, kA);
  run.unlock(2, 16, kA);
  const Rerun again = carry_out(run.maker.take());
  CHECK(again.ended);
  CHECK(again.asked == Waits{0, 5});
}

}  // namespace
}  // namespace cdr::sync
