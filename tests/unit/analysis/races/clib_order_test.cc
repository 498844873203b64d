// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/clib_order.h"

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::races;

namespace {

constexpr ThreadId kLoader{1}, kLater{2};
constexpr uint64_t kLibraryMutex = 0x1000, kOtherMutex = 0x2000, kLibraryCondition = 0x3000;

class LibraryThreads {
 public:
  LibraryThreads() { order.thread_created(); }
  void lock(ThreadId t, uint64_t mutex) { both(t, {SyncOp::kMutexLock, 0, mutex}); }
  void unlock(ThreadId t, uint64_t mutex) { both(t, {SyncOp::kMutexUnlock, 0, mutex}); }
  // Threads of the C library's get that, for themselves.
  void lock_by_clib(ThreadId t, uint64_t mutex) {
    of_clib_ = true;
    lock(t, mutex);
    of_clib_ = false;
  }
  // Whether the second thread gets a mutex behind what the first has just done, and gives it back.
  bool is_behind(uint64_t mutex) {
    const SegmentNumber n = segments.use(kLoader, {++events_, 0});
    unlock(kLoader, mutex);
    lock(kLater, mutex);
    unlock(kLater, mutex);
    return segments.knows(kLater, kLoader, n, Order::kSync);
  }

  Segments segments;
  ClibOrder order{segments};

 private:
  void both(ThreadId t, const Sync& s) {
    order.enter(t, s);
    order.leave(t, s, !of_clib_);
  }
  uint64_t events_ = 0;
  bool of_clib_ = false;
};

}  // namespace

TEST_CASE("a mutex of the C library orders what it guards while a library is loaded", "[races]") {
  LibraryThreads t;
  t.lock(kLoader, kLibraryMutex);
  CHECK_FALSE(t.is_behind(kLibraryMutex));
  t.lock(kLoader, kLibraryMutex);
  t.order.module_mapped(kLoader);
  t.lock(kLoader, kOtherMutex);
  t.unlock(kLoader, kOtherMutex);
  CHECK(t.is_behind(kLibraryMutex));
  // The next time it loads nothing.
  t.lock(kLoader, kLibraryMutex);
  CHECK_FALSE(t.is_behind(kLibraryMutex));
}

TEST_CASE("what is loaded before there are threads orders nothing", "[races]") {
  Segments segments;
  ClibOrder order(segments);
  const Sync lock{SyncOp::kMutexLock, 0, kLibraryMutex}, unlock{SyncOp::kMutexUnlock, 0, kLibraryMutex};
  order.leave(kLoader, lock, true);
  order.module_mapped(kLoader);
  const SegmentNumber n = segments.use(kLoader, {1, 0});
  order.enter(kLoader, unlock);
  order.leave(kLater, lock, true);
  CHECK_FALSE(segments.knows(kLater, kLoader, n, Order::kSync));
}

TEST_CASE("what was given before a thread of the C library has got the mutex is not lost", "[races]") {
  LibraryThreads t;
  t.order.clib_creates_thread();
  const SegmentNumber n = t.segments.use(kLoader, {1, 0});
  t.lock(kLoader, kLibraryMutex);
  t.unlock(kLoader, kLibraryMutex);
  t.lock_by_clib(kLater, kLibraryMutex);
  CHECK(t.segments.knows(kLater, kLoader, n, Order::kSync));
}

TEST_CASE("mutexes that threads of the C library get for themselves order, waits for conditions among them",
          "[races]") {
  LibraryThreads t;
  t.lock_by_clib(kLater, kLibraryMutex);
  CHECK_FALSE(t.is_behind(kLibraryMutex));
  t.order.clib_creates_thread();
  CHECK_FALSE(t.is_behind(kLibraryMutex));
  t.lock_by_clib(kLater, kLibraryMutex);
  CHECK(t.is_behind(kLibraryMutex));
  CHECK_FALSE(t.is_behind(kOtherMutex));
  t.lock(kLoader, kLibraryMutex);
  const SegmentNumber n = t.segments.use(kLoader, {100, 0});
  t.order.enter(kLoader, {SyncOp::kCondTimedWait, 0, kLibraryCondition, kLibraryMutex});
  t.lock(kLater, kLibraryMutex);
  CHECK(t.segments.knows(kLater, kLoader, n, Order::kSync));
  const SegmentNumber m = t.segments.use(kLater, {101, 0});
  t.unlock(kLater, kLibraryMutex);
  // It has the mutex again after a time-out, too.
  t.order.leave(kLoader, {SyncOp::kCondTimedWait, kSyncFailed, kLibraryCondition, kLibraryMutex, 0, 110}, true);
  CHECK(t.segments.knows(kLoader, kLater, m, Order::kSync));
}
