// SPDX-License-Identifier: GPL-2.0-or-later
// The table of docs/races.md, line by line: what is given and got, and what failed operations take back.
#include "cdrgrind/analysis/sync/machine.h"

#include <map>
#include <set>

#include "tests/unit/catch.h"

namespace cdr::sync {
namespace {

// What was passed on is numbered: a thread's n-th release is 10 · thread + n.
struct Numbers {
  std::set<int> all;
  void join(const Numbers& other) { all.insert(other.all.begin(), other.all.end()); }
};
using Set = std::set<int>;

constexpr uint64_t kObject = 8, kMutex = 16;
constexpr int64_t kNotPermitted = 1, kOver = 110, kOwnerDead = 130;

class Run final : SyncClient<Numbers> {
 public:
  Run() : machine(*this) {}

  void enter(uint32_t t, SyncOp op, uint64_t value = 0) { machine.enter(ThreadId(t), sync(op, value)); }
  // All that the thread gets.
  Set leave(uint32_t t, SyncOp op, uint64_t value = 0, int64_t error = 0, uint8_t flags = 0) {
    got_.clear();
    Sync s = sync(op, value);
    s.result = error;
    s.flags = static_cast<uint8_t>(flags | (error ? kSyncFailed : 0));
    machine.leave(ThreadId(t), s);
    return got_;
  }
  Set whole(uint32_t t, SyncOp op, uint64_t value = 0, int64_t error = 0) {
    enter(t, op, value);
    return leave(t, op, value, error);
  }
  template <class F>
  Set got_by(F f) {
    got_.clear();
    f();
    return got_;
  }
  size_t held(uint32_t t) { return machine.held(ThreadId(t)).size(); }
  Set start(uint32_t t) {
    got_.clear();
    machine.start(ThreadId(t));
    return got_;
  }

  SyncMachine<Numbers> machine;

 private:
  static Sync sync(SyncOp op, uint64_t value) {
    Sync s;
    s.op = op;
    s.object = op >= SyncOp::kMutexInit && op <= SyncOp::kMutexUnlock ? kMutex : kObject;
    s.object2 = kMutex;
    s.value = value;
    return s;
  }
  Numbers release(ThreadId by) override { return {{static_cast<int>(10 * by.value) + ++releases_[by.value]}}; }
  void acquire(ThreadId, const Acquired&, const Numbers& from) override {
    got_.insert(from.all.begin(), from.all.end());
  }

  Set got_;
  std::map<uint32_t, int> releases_;
};

TEST_CASE("a lock gets the last release, a failed unlock is none") {
  for (const auto& [lock, unlock] :
       {std::pair(SyncOp::kMutexLock, SyncOp::kMutexUnlock), std::pair(SyncOp::kSpinTryLock, SyncOp::kSpinUnlock),
        std::pair(SyncOp::kRwTimedWriteLock, SyncOp::kRwUnlock)}) {
    Run run;
    CHECK(run.whole(1, lock).empty());
    CHECK(run.held(1) == 1);
    run.whole(1, unlock);
    CHECK(run.held(1) == 0);
    CHECK(run.whole(2, lock) == Set{11});
    run.whole(2, unlock, 0, kNotPermitted);
    CHECK(run.held(2) == 1);
    run.whole(3, unlock, 0, kNotPermitted);
    CHECK(run.whole(4, lock, 0, kNotPermitted).empty());
    CHECK(run.whole(4, lock) == Set{11});
  }
}

TEST_CASE("an unlock gives before it is done, also of who was not seen to lock") {
  Run run;
  run.enter(1, SyncOp::kMutexUnlock);
  CHECK(run.whole(2, SyncOp::kMutexLock) == Set{11});
  run.leave(1, SyncOp::kMutexUnlock);
  run.enter(3, SyncOp::kMutexUnlock);
  run.whole(2, SyncOp::kMutexUnlock);
  run.leave(3, SyncOp::kMutexUnlock, 0, kNotPermitted);  // what came behind it stays
  CHECK(run.whole(4, SyncOp::kMutexLock) == Set{21});
}

TEST_CASE("a lock whose owner died is got, with all that the owner did") {
  Run run;
  run.whole(1, SyncOp::kMutexLock);
  run.machine.end(ThreadId(1));
  CHECK(run.whole(2, SyncOp::kMutexLock, 0, kOwnerDead) == Set{11});
  CHECK(run.held(2) == 1);
  CHECK(run.held(1) == 0);
}

TEST_CASE("readers get the last writer, a writer all readers since, and a reader's failed unlock gives nothing") {
  Run run;
  run.whole(1, SyncOp::kRwWriteLock);
  run.whole(1, SyncOp::kRwUnlock);
  for (const uint32_t t : {2u, 3u}) CHECK(run.whole(t, SyncOp::kRwReadLock) == Set{11});
  CHECK(run.machine.wanted(ThreadId(4), {SyncOp::kRwWriteLock, 0, kObject, 0, 0, 0}).held_by.size() == 2);
  CHECK_FALSE(run.machine.wanted(ThreadId(4), {SyncOp::kRwReadLock, 0, kObject, 0, 0, 0}).waits);
  run.whole(2, SyncOp::kRwUnlock);
  run.whole(3, SyncOp::kRwUnlock, 0, kNotPermitted);
  CHECK(run.machine.held(ThreadId(3)).at(0).shared);
  CHECK(run.whole(4, SyncOp::kRwTryWriteLock) == Set{11, 21});
}

TEST_CASE("a wait gives the mutex, and gets it again with the signal that woke it") {
  Run run;
  run.whole(1, SyncOp::kMutexLock);
  run.enter(1, SyncOp::kCondWait);
  CHECK(run.held(1) == 0);
  CHECK(run.whole(2, SyncOp::kMutexLock) == Set{11});
  run.whole(2, SyncOp::kCondSignal);
  run.whole(2, SyncOp::kMutexUnlock);
  CHECK(run.leave(1, SyncOp::kCondWait) == Set{21, 22});
  CHECK(run.held(1) == 1);
}

TEST_CASE("a wait whose time is over, or that is cancelled, has the mutex and no signal") {
  for (const bool cancelled : {false, true}) {
    Run run;
    run.whole(1, SyncOp::kMutexLock);
    run.enter(1, SyncOp::kCondTimedWait);
    run.whole(2, SyncOp::kCondSignal);
    run.whole(3, SyncOp::kMutexLock);
    run.whole(3, SyncOp::kMutexUnlock);
    CHECK(run.leave(1, SyncOp::kCondTimedWait, 0, cancelled ? 0 : kOver,
                    cancelled ? uint8_t{kSyncUnwound} : uint8_t{0}) == Set{31});
    CHECK(run.held(1) == 1);
  }
}

TEST_CASE("a wait that failed otherwise has neither given the mutex nor waited") {
  Run run;
  run.whole(1, SyncOp::kMutexLock);
  run.whole(1, SyncOp::kMutexUnlock);
  run.whole(2, SyncOp::kMutexLock);
  run.enter(2, SyncOp::kCondWait);
  run.whole(3, SyncOp::kCondSignal);
  CHECK(run.leave(2, SyncOp::kCondWait, 0, kNotPermitted).empty());
  CHECK(run.held(2) == 1);
  CHECK(run.whole(4, SyncOp::kMutexLock) == Set{11});
}

TEST_CASE("a failed post takes back its own token, and no other if that is gone") {
  Run run;
  run.whole(1, SyncOp::kSemInit, 1);
  CHECK_FALSE(run.machine.wanted(ThreadId(2), {SyncOp::kSemWait, 0, kObject, 0, 0, 0}).waits);
  CHECK(run.whole(2, SyncOp::kSemWait).empty());
  run.whole(1, SyncOp::kSemPost);
  run.whole(1, SyncOp::kSemPost, 0, kNotPermitted);
  CHECK(run.whole(2, SyncOp::kSemWait) == Set{11});
  CHECK(run.machine.wanted(ThreadId(2), {SyncOp::kSemWait, 0, kObject, 0, 0, 0}).waits);
  run.enter(3, SyncOp::kSemPost);
  CHECK(run.whole(2, SyncOp::kSemTryWait) == Set{31});
  run.whole(3, SyncOp::kSemPost);  // inside of the other: its token stays
  run.leave(3, SyncOp::kSemPost, 0, kNotPermitted);
  CHECK(run.whole(2, SyncOp::kSemTimedWait) == Set{32});
}

TEST_CASE("a routine that is left by an exception comes before the next that is tried") {
  Run run;
  run.enter(1, SyncOp::kOnce);
  run.enter(1, SyncOp::kOnceRun);
  run.leave(1, SyncOp::kOnceRun, 0, 0, kSyncUnwound);
  CHECK(run.leave(1, SyncOp::kOnce, 0, 0, kSyncUnwound).empty());
  run.enter(2, SyncOp::kOnce);
  CHECK(run.got_by([&] { run.enter(2, SyncOp::kOnceRun); }) == Set{11});
  run.leave(2, SyncOp::kOnceRun);
  run.leave(2, SyncOp::kOnce);
  CHECK(run.whole(3, SyncOp::kOnce) == Set{21});
}

TEST_CASE("a barrier's phase, a routine that runs once, marks of order") {
  Run run;
  run.whole(1, SyncOp::kBarrierInit, 2);
  run.enter(1, SyncOp::kBarrierWait);
  CHECK_FALSE(run.machine.wanted(ThreadId(2), {SyncOp::kBarrierWait, 0, kObject, 0, 0, 0}).waits);
  CHECK(run.whole(2, SyncOp::kBarrierWait) == Set{11, 21});
  CHECK(run.leave(1, SyncOp::kBarrierWait) == Set{11, 21});
  run.enter(1, SyncOp::kOnce);
  run.enter(1, SyncOp::kOnceRun);
  CHECK(run.machine.operation(ThreadId(1)) == SyncOp::kOnceRun);
  run.leave(1, SyncOp::kOnceRun);
  run.leave(1, SyncOp::kOnce);
  CHECK(run.whole(3, SyncOp::kOnce) == Set{12});
  run.whole(1, SyncOp::kGuardRelease);
  CHECK(run.whole(3, SyncOp::kGuardAcquire) == Set{13});
  CHECK(run.machine.routine(SyncKind::kGuard, kObject)->all == Set{13});
  CHECK(run.machine.routine(SyncKind::kGuard, kMutex) == nullptr);
  run.whole(1, SyncOp::kHappensBefore);
  run.whole(2, SyncOp::kHappensBefore);
  CHECK(run.whole(3, SyncOp::kHappensAfter) == Set{14, 22});
}

TEST_CASE("a thread gets what its creator gave, and who joins it what it gave at its end") {
  Run run;
  run.machine.create(ThreadId(1), ThreadId(2));
  CHECK(run.start(2) == Set{11});
  CHECK(run.start(2).empty());
  run.machine.end(ThreadId(2));
  CHECK(run.whole(1, SyncOp::kThreadJoin, 2) == Set{21});
  CHECK(run.whole(1, SyncOp::kThreadJoin, 3).empty());
}

TEST_CASE("an object that is initialised is a new one, one that is destroyed may still be left") {
  Run run;
  run.whole(1, SyncOp::kMutexLock);
  run.whole(2, SyncOp::kMutexDestroy, 0, 16);  // it is busy
  CHECK(run.machine.wanted(ThreadId(2), {SyncOp::kMutexLock, 0, kMutex, 0, 0, 0}).waits);
  run.whole(1, SyncOp::kMutexUnlock);
  run.whole(1, SyncOp::kMutexInit);
  CHECK(run.whole(2, SyncOp::kMutexLock).empty());
  run.whole(1, SyncOp::kBarrierInit, 2);
  run.enter(1, SyncOp::kBarrierWait);
  run.enter(2, SyncOp::kBarrierWait);
  run.leave(1, SyncOp::kBarrierWait);
  run.whole(1, SyncOp::kBarrierDestroy);
  CHECK(run.leave(2, SyncOp::kBarrierWait).size() == 2);
}

TEST_CASE("an operation that is ignored orders nothing, and is one all the same") {
  Run run;
  Sync s;
  s.op = SyncOp::kMutexUnlock;
  s.object = kMutex;
  run.machine.enter(ThreadId(1), s, true);
  CHECK(run.machine.operation(ThreadId(1)) == SyncOp::kMutexUnlock);
  run.machine.leave(ThreadId(1), s);
  CHECK(run.machine.operation(ThreadId(1)) == SyncOp::kNone);
  CHECK(run.whole(2, SyncOp::kMutexLock).empty());
}

}  // namespace
}  // namespace cdr::sync
