// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/ledger.h"

#include "tests/unit/catch.h"

namespace cdr::sync {
namespace {

struct Log {
  SyncLedger ledger;

  SyncMeaning enter(uint32_t thread, SyncOp op, uint64_t object, uint64_t value = 0, uint64_t object2 = 0) {
    return step(EventKind::kSyncEnter, thread, {op, 0, object, object2, value, 0});
  }
  SyncMeaning leave(uint32_t thread, SyncOp op, uint64_t object, uint8_t flags = 0, uint64_t object2 = 0) {
    return step(EventKind::kSyncLeave, thread, {op, flags, object, object2, 0, flags ? 16 : 0});
  }
  // Both, and what the leave means.
  SyncMeaning whole(uint32_t thread, SyncOp op, uint64_t object, uint64_t value = 0) {
    enter(thread, op, object, value);
    return leave(thread, op, object);
  }
  SyncMeaning step(EventKind kind, uint32_t thread, const Sync& sync) {
    SyncStep s;
    s.thread = ThreadId(thread);
    s.kind = kind;
    s.sync = sync;
    return ledger.step(s);
  }
};

std::vector<ThreadId> threads(std::initializer_list<uint32_t> serials) {
  std::vector<ThreadId> list;
  for (const uint32_t s : serials) list.emplace_back(s);
  return list;
}

TEST_CASE("a lock comes from who gave it back last") {
  Log log;
  CHECK(log.whole(1, SyncOp::kMutexLock, 8).got.at(0).from.empty());
  const SyncMeaning wants = log.enter(2, SyncOp::kMutexLock, 8);
  CHECK(wants.waits);
  CHECK(wants.held_by == threads({1}));
  log.whole(1, SyncOp::kMutexUnlock, 8);
  CHECK(log.leave(2, SyncOp::kMutexLock, 8).got.at(0).from == threads({1}));
  log.whole(2, SyncOp::kMutexUnlock, 8);
  CHECK(log.whole(2, SyncOp::kMutexLock, 8).got.at(0).from.empty());
}

TEST_CASE("a lock that its thread holds already is not got again") {
  Log log;
  log.whole(1, SyncOp::kMutexLock, 8);
  CHECK(log.whole(1, SyncOp::kMutexLock, 8).got.empty());
  CHECK(log.enter(1, SyncOp::kMutexUnlock, 8).let_go.empty());
  log.leave(1, SyncOp::kMutexUnlock, 8);
  CHECK(log.enter(2, SyncOp::kMutexLock, 8).waits);
  CHECK(log.enter(1, SyncOp::kMutexUnlock, 8).let_go.size() == 1);
}

TEST_CASE("a failed unlock gives nothing") {
  Log log;
  log.whole(1, SyncOp::kMutexLock, 8);
  log.enter(2, SyncOp::kMutexUnlock, 8);
  log.leave(2, SyncOp::kMutexUnlock, 8, kSyncFailed);
  CHECK(log.enter(3, SyncOp::kMutexLock, 8).held_by == threads({1}));
}

TEST_CASE("a write lock comes from all readers since the last writer") {
  Log log;
  log.whole(1, SyncOp::kRwWriteLock, 8);
  log.whole(1, SyncOp::kRwUnlock, 8);
  for (const uint32_t t : {2u, 3u}) {
    CHECK_FALSE(log.enter(t, SyncOp::kRwReadLock, 8).waits);
    CHECK(log.leave(t, SyncOp::kRwReadLock, 8).got.at(0).from == threads({1}));
  }
  CHECK(log.enter(4, SyncOp::kRwWriteLock, 8).held_by == threads({2, 3}));
  log.whole(2, SyncOp::kRwUnlock, 8);
  log.whole(3, SyncOp::kRwUnlock, 8);
  CHECK(log.leave(4, SyncOp::kRwWriteLock, 8).got.at(0).from == threads({1, 2, 3}));
}

TEST_CASE("a barrier's phase comes from all others of the phase") {
  Log log;
  log.whole(1, SyncOp::kBarrierInit, 8, 2);
  CHECK(log.enter(1, SyncOp::kBarrierWait, 8).waits);
  CHECK_FALSE(log.enter(2, SyncOp::kBarrierWait, 8).waits);
  CHECK(log.leave(2, SyncOp::kBarrierWait, 8).got.at(0).from == threads({1}));
  CHECK(log.enter(2, SyncOp::kBarrierWait, 8).waits);
  CHECK(log.leave(1, SyncOp::kBarrierWait, 8).got.at(0).from == threads({2}));
}

TEST_CASE("the k-th wait on a semaphore has the token behind the initial ones") {
  Log log;
  log.whole(1, SyncOp::kSemInit, 8, 1);
  log.whole(2, SyncOp::kSemPost, 8);
  CHECK(log.whole(3, SyncOp::kSemWait, 8).got.at(0).from.empty());
  CHECK(log.whole(3, SyncOp::kSemWait, 8).got.at(0).from == threads({2}));
  CHECK(log.enter(3, SyncOp::kSemWait, 8).waits);
}

TEST_CASE("a condition's wait gives its mutex, and gets the earliest signal that it may have got") {
  Log log;
  log.whole(1, SyncOp::kMutexLock, 16);
  log.whole(2, SyncOp::kCondSignal, 8);  // nobody waits: gone
  CHECK(log.enter(1, SyncOp::kCondWait, 8, 0, 16).let_go.size() == 1);
  log.whole(3, SyncOp::kMutexLock, 16);
  log.whole(3, SyncOp::kCondSignal, 8);
  log.whole(3, SyncOp::kMutexUnlock, 16);
  const SyncMeaning woken = log.leave(1, SyncOp::kCondWait, 8, 0, 16);
  REQUIRE(woken.got.size() == 2);
  CHECK(woken.got[0].of.kind == SyncKind::kCondition);
  CHECK(woken.got[0].from == threads({3}));
  CHECK(woken.got[1].of == SyncKey{SyncKind::kMutex, 16});
  CHECK(woken.got[1].from == threads({3}));
}

}  // namespace
}  // namespace cdr::sync
