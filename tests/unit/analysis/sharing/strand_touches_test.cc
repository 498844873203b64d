// SPDX-License-Identifier: GPL-2.0-or-later
// The first look at what strands touch: who may meet in a line, and who has met there too early to matter.
#include "cdrgrind/analysis/sharing/strand_touches.h"

#include "tests/unit/analysis/races/no_facts.h"
#include "tests/unit/catch.h"

namespace cdr::sharing {
namespace {

class Run {
 public:
  void enter(uint32_t t, SyncOp op, uint64_t value = 0, uint64_t object = 0, uint64_t object2 = 0) {
    tell(t, EventKind::kSyncEnter, op, value, object, object2, 0);
  }
  void leave(uint32_t t, SyncOp op, int64_t result = 0, uint64_t object = 0) {
    tell(t, EventKind::kSyncLeave, op, 0, object, 0, result);
  }
  void create_thread(uint32_t by, uint32_t child) {
    Event e;
    e.kind = EventKind::kThreadCreate;
    e.thread = ThreadId(by);
    e.child = ThreadId(child);
    touches_.event(e, ++index_);
  }
  void begin_team() {
    enter(1, SyncOp::kParallel, 2, ++team_);
    if (team_ == 1) create_thread(1, 2);
    enter(1, SyncOp::kImplicitTask, 0, team_);
    enter(2, SyncOp::kImplicitTask, 1, team_);
  }
  void barrier() {
    for (const uint32_t t : {1, 2}) enter(t, SyncOp::kTeamBarrier);
    for (const uint32_t t : {1, 2}) leave(t, SyncOp::kTeamBarrier);
  }
  void end_team() {
    for (const uint32_t t : {1, 2}) leave(t, SyncOp::kImplicitTask);
    leave(1, SyncOp::kParallel);
  }
  void begin_task(uint32_t t, uint64_t number, uint64_t frame) {
    enter(t, SyncOp::kTaskCreate);
    enter(t, SyncOp::kTaskData, 0, number);
    leave(t, SyncOp::kTaskData, 0, number);
    leave(t, SyncOp::kTaskCreate);
    enter(t, SyncOp::kTaskwait);
    enter(t, SyncOp::kTask, 0, number, frame);
  }
  void end_task(uint32_t t, uint64_t number) {
    leave(t, SyncOp::kTask, 0, number);
    leave(t, SyncOp::kTaskwait);
  }
  void store(uint32_t t, uint64_t addr) {
    analysis::Seen s;
    s.addr = addr;
    s.width = 8;
    s.store = true;
    touches_.access(ThreadId(t), s);
  }
  bool shared(uint64_t addr) const { return lines_.shared(addr, 8); }

 private:
  void tell(uint32_t t, EventKind kind, SyncOp op, uint64_t value, uint64_t object, uint64_t object2, int64_t result) {
    Event e;
    e.kind = kind;
    e.thread = ThreadId(t);
    e.sync.op = op;
    e.sync.value = value;
    e.sync.object = object;
    e.sync.object2 = object2;
    e.sync.result = result;
    touches_.event(e, ++index_);
  }
  BlockTable blocks_;
  test::NoFacts facts_;
  races::Sharing lines_;
  StrandTouches touches_{blocks_, facts_, lines_};
  uint64_t index_ = 0, team_ = 0;
};

TEST_CASE("threads of a team meet between two barriers, and not before and behind one") {
  Run r;
  r.begin_team();
  r.store(1, 0x1000);
  r.store(2, 0x1008);
  r.store(1, 0x2000);
  r.barrier();
  r.store(2, 0x2008);
  r.end_team();
  CHECK(r.shared(0x1000));
  CHECK_FALSE(r.shared(0x2000));
}

TEST_CASE("regions, and what lies between them, are phases") {
  Run r;
  r.store(1, 0x1000);
  r.begin_team();
  r.store(2, 0x1000);
  r.end_team();
  r.store(1, 0x1000);
  r.begin_team();
  r.store(1, 0x1000);
  r.end_team();
  CHECK_FALSE(r.shared(0x1000));
}

TEST_CASE("another thread of the program may meet everybody at any time") {
  Run r;
  r.create_thread(1, 2);
  r.store(2, 0x1000);
  r.store(1, 0x2000);
  r.begin_team();
  r.end_team();
  r.store(1, 0x1000);
  CHECK(r.shared(0x1000));
  CHECK_FALSE(r.shared(0x2000));
}

TEST_CASE("two tasks of one thread meet, but not in their frames") {
  Run r;
  r.begin_team();
  for (const uint64_t task : {1, 2}) {
    r.begin_task(1, task, 0x40000000);
    r.store(1, 0x1000 + 8 * task);
    r.store(1, 0x3fffff00 + 8 * task);
    r.end_task(1, task);
  }
  r.end_team();
  CHECK(r.shared(0x1008));
  CHECK_FALSE(r.shared(0x3fffff08));
}

}  // namespace
}  // namespace cdr::sharing
