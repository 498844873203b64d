// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/file_locks.h"

#include <set>

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

constexpr ThreadId kCaller{1}, kOtherCaller{2};
constexpr uint64_t kFileLock = 0x1000, kSomeFile = 0x900, kSecondLock = 0x2000;

class FileCalls {
 public:
  // What a call of stdio does. Waiting for the lock is another atomic instruction or two.
  void begin_call(ThreadId t, uint64_t lock, int waits = 0) {
    for (int i = 0; i <= waits; ++i) access(t, lock, 4, true);
    access(t, lock + 8, 8, false);
    access(t, lock + 4, 4, false);
  }
  void end_call(ThreadId t, uint64_t lock) {
    access(t, lock + 4, 4, false);
    access(t, lock + 8, 8, false);
    access(t, lock, 4, true);
  }
  void access(ThreadId t, uint64_t addr, uint64_t width, bool atomic) {
    locks.stored(t, {addr, width, atomic}, [this](uint64_t lock) { seen.insert(lock); });
  }
  void flockfile(ThreadId t, uint64_t lock) { both(t, SyncOp::kMutexLock, lock, 0); }
  void funlockfile(ThreadId t, uint64_t lock) { both(t, SyncOp::kMutexUnlock, lock, 0); }
  void both(ThreadId t, SyncOp op, uint64_t lock, uint8_t flags) {
    Sync s;
    s.op = op;
    s.object = kSomeFile;
    s.object2 = lock;
    locks.enter(t, s);
    s.flags = flags;
    locks.leave(t, s);
  }
  std::set<uint64_t> held(ThreadId t) const {
    std::set<uint64_t> all;
    locks.for_each_held(t, [&](uint64_t lock) { all.insert(lock); });
    return all;
  }

  FileLocks locks;
  std::set<uint64_t> seen;  // to be locked by calls
};

using HeldLocks = std::set<uint64_t>;

}  // namespace

TEST_CASE("a call of stdio holds the lock from where it writes itself as the owner to where it writes nobody") {
  FileCalls f;
  f.begin_call(kCaller, kFileLock);
  CHECK(f.held(kCaller) == HeldLocks{kFileLock});
  CHECK(f.held(kOtherCaller).empty());
  CHECK(f.seen == HeldLocks{kFileLock});
  f.begin_call(kCaller, kSecondLock);
  CHECK(f.held(kCaller) == HeldLocks{kFileLock, kSecondLock});
  f.end_call(kCaller, kSecondLock);
  f.end_call(kCaller, kFileLock);
  CHECK(f.held(kCaller).empty());
  f.begin_call(kOtherCaller, kFileLock, 2);
  CHECK(f.held(kOtherCaller) == HeldLocks{kFileLock});
}

TEST_CASE("what is stored behind an atomic instruction is no owner elsewhere, nor after a lock was given back") {
  FileCalls f;
  f.access(kCaller, kFileLock, 4, true);
  f.access(kCaller, kFileLock + 16, 8, false);
  f.access(kOtherCaller, kFileLock + 8, 8, false);
  CHECK(f.held(kCaller).empty());
  CHECK(f.held(kOtherCaller).empty());
  f.begin_call(kCaller, kFileLock);
  f.end_call(kCaller, kFileLock);
  f.access(kCaller, kFileLock + 8, 8, false);
  CHECK(f.held(kCaller).empty());
}

TEST_CASE("a lock beside which something is stored is held until it is given back") {
  FileCalls f;
  for (int i = 0; i < 2; ++i) {
    f.access(kCaller, kFileLock, 4, true);
    f.access(kCaller, kFileLock + 8, 8, false);
    f.access(kCaller, kFileLock, 4, true);
    CHECK(f.held(kCaller).empty());
    f.access(kCaller, kFileLock + 8, 8, false);
    CHECK(f.held(kCaller).empty());
  }
  // Something else is done to it in between.
  f.access(kCaller, kFileLock, 4, true);
  f.access(kCaller, kFileLock, 4, false);
  f.access(kCaller, kFileLock + 8, 8, false);
  CHECK(f.held(kCaller).empty());
}

TEST_CASE("who has a FILE does not depend on what is done elsewhere meanwhile") {
  FileCalls f;
  const auto elsewhere = [&] {
    f.access(kCaller, kSecondLock, 4, true);
    f.access(kCaller, kSecondLock + 24, 8, false);
    f.access(kCaller, kFileLock + 16, 8, false);
  };
  for (int i = 0; i < 2; ++i) {
    f.access(kCaller, kFileLock, 4, true);
    elsewhere();
    f.access(kCaller, kFileLock + 8, 8, false);
    elsewhere();
    CHECK(f.held(kCaller) == HeldLocks{kFileLock});
    f.access(kCaller, kFileLock + 8, 8, false);
    elsewhere();
    f.access(kCaller, kFileLock, 4, true);
    elsewhere();
    CHECK(f.held(kCaller).empty());
  }
}

TEST_CASE("a FILE's lock is recursive, and what fails holds nothing") {
  FileCalls f;
  f.flockfile(kCaller, kFileLock);
  f.flockfile(kCaller, kFileLock);
  f.funlockfile(kCaller, kFileLock);
  CHECK(f.held(kCaller) == HeldLocks{kFileLock});
  f.both(kOtherCaller, SyncOp::kMutexTryLock, kFileLock, kSyncFailed);
  CHECK(f.held(kOtherCaller).empty());
  f.funlockfile(kCaller, kFileLock);
  CHECK(f.held(kCaller).empty());
  f.both(kOtherCaller, SyncOp::kMutexLock, 0, 0);
  CHECK(f.held(kOtherCaller).empty());
}

TEST_CASE("the clean-up of a call that is cancelled gives back what the call had locked") {
  FileCalls f;
  f.begin_call(kCaller, kFileLock);
  f.funlockfile(kCaller, kFileLock);
  CHECK(f.held(kCaller).empty());
}
