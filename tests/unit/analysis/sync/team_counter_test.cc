// SPDX-License-Identifier: GPL-2.0-or-later
// What teams execute of loops: whose instructions count, and whose do not.
#include "cdrgrind/analysis/sync/team_counter.h"

#include "tests/unit/catch.h"

namespace cdr::sync {
namespace {

// Instructions go by as the test says.
class Run {
 public:
  TeamCounter counter;

  void go(uint32_t t, uint64_t insns) { insns_[t] += insns; }
  void enter(uint32_t t, SyncOp op, uint64_t value = 0, uint64_t object = 0) { tell(t, true, op, value, object, 0); }
  void leave(uint32_t t, SyncOp op, int64_t result = 0, uint64_t object = 0) { tell(t, false, op, 0, object, result); }
  // Of `asked` threads: 1 and 2 are members.
  void begin_team(uint64_t asked = 0) {
    enter(1, SyncOp::kParallel, asked, 1);
    SyncStep s;
    s.kind = EventKind::kThreadCreate;
    s.thread = ThreadId(1);
    s.child = ThreadId(2);
    s.insns = insns_[1];
    counter.step(s);
    enter(1, SyncOp::kImplicitTask, 0, 1);
    if (asked != 1) enter(2, SyncOp::kImplicitTask, 1, 1);
  }
  void end_team() {
    leave(1, SyncOp::kImplicitTask, 0, 1);
    leave(2, SyncOp::kImplicitTask, 0, 1);
    leave(1, SyncOp::kParallel, 0, 1);
  }
  bool loop(uint32_t t, uint32_t loop) { return counter.enter_loop(ThreadId(t), insns_[t], loop); }
  void end_loop(uint32_t t, uint32_t loop, uint64_t iterations = 1) {
    counter.leave_loop(ThreadId(t), insns_[t], loop, iterations);
  }

 private:
  void tell(uint32_t t, bool entered, SyncOp op, uint64_t value, uint64_t object, int64_t result) {
    SyncStep s;
    s.index = ++index_;
    s.kind = entered ? EventKind::kSyncEnter : EventKind::kSyncLeave;
    s.thread = ThreadId(t);
    s.insns = insns_[t];
    s.sync.op = op;
    s.sync.value = value;
    s.sync.object = object;
    s.sync.result = result;
    counter.step(s);
  }
  uint64_t insns_[3] = {}, index_ = 0;
};

TEST_CASE("of a loop each thread of the team has its share, and the runtime none") {
  Run r;
  r.begin_team();
  CHECK(r.loop(1, 7));
  CHECK(r.loop(2, 7));
  r.go(1, 100);
  r.go(2, 30);
  r.enter(1, SyncOp::kWorkNext);
  r.go(1, 1000);
  r.leave(1, SyncOp::kWorkNext, 1);
  r.go(1, 20);
  r.end_loop(1, 7, 12);
  r.end_loop(2, 7, 3);
  r.go(1, 500);
  r.end_team();
  auto loops = r.counter.take_loops();
  REQUIRE(loops.size() == 1);
  CHECK(loops[7].threads == 2);
  CHECK_FALSE(loops[7].alone);
  CHECK(loops[7].shares[0].insns == 120);
  CHECK(loops[7].shares[0].iterations == 12);
  CHECK(loops[7].shares[1].insns == 30);
  CHECK(loops[7].insns() == 150);
}

TEST_CASE("a loop outside of teams, and in one for which the program asks for one thread, is in none") {
  Run r;
  CHECK_FALSE(r.loop(1, 7));
  r.go(1, 10);
  r.end_loop(1, 7);
  r.begin_team(1);
  CHECK_FALSE(r.loop(1, 8));
  r.end_loop(1, 8);
  r.end_team();
  auto loops = r.counter.take_loops();
  CHECK_FALSE(loops.contains(7));
  CHECK(loops[8].alone);
}

TEST_CASE("a loop within itself counts once") {
  Run r;
  r.begin_team();
  r.loop(1, 7);
  r.go(1, 10);
  CHECK(r.loop(1, 7));
  r.go(1, 5);
  r.end_loop(1, 7);
  r.go(1, 10);
  r.end_loop(1, 7);
  r.end_team();
  auto loops = r.counter.take_loops();
  CHECK(loops[7].insns() == 25);
  CHECK(loops[7].shares[0].parts == 1);
}

TEST_CASE("what is under two locks is exclusive once, and each lock's") {
  Run r;
  r.begin_team();
  r.loop(1, 7);
  r.go(1, 10);
  for (const uint64_t lock : {100, 200}) {
    r.enter(1, SyncOp::kExclusiveBegin, static_cast<uint64_t>(ExclusiveKind::kLock), lock);
    r.leave(1, SyncOp::kExclusiveBegin, 1, lock);
    r.go(1, 4);
  }
  for (const uint64_t lock : {200, 100}) {
    r.enter(1, SyncOp::kExclusiveEnd, static_cast<uint64_t>(ExclusiveKind::kLock), lock);
    r.leave(1, SyncOp::kExclusiveEnd, 0, lock);
  }
  r.go(1, 2);
  r.end_loop(1, 7);
  r.end_team();
  auto loops = r.counter.take_loops();
  CHECK(loops[7].insns() == 20);
  CHECK(loops[7].exclusive == 8);
  CHECK(loops[7].exclusions[100].insns == 8);
  CHECK(loops[7].exclusions[200].insns == 4);
}

TEST_CASE("loops within one that is left are left") {
  Run r;
  r.begin_team();
  r.loop(1, 7);
  r.loop(1, 8);
  r.go(1, 10);
  r.end_loop(1, 7);
  r.go(1, 10);
  CHECK(r.loop(1, 8));
  r.end_loop(1, 8);
  r.end_team();
  auto loops = r.counter.take_loops();
  CHECK(loops[7].insns() == 10);
  CHECK(loops[8].insns() == 0);
  CHECK(loops[8].shares[0].parts == 2);
}

}  // namespace
}  // namespace cdr::sync
