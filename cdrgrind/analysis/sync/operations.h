// SPDX-License-Identifier: GPL-2.0-or-later
// What operations of synchronisation are: of which kind of object, and whether they get or give something.
#ifndef CDRGRIND_ANALYSIS_SYNC_OPERATIONS_H
#define CDRGRIND_ANALYSIS_SYNC_OPERATIONS_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "cdrgrind/base/event.h"

namespace cdr::sync {

enum class SyncKind : uint8_t {
  kThread,
  kMutex,
  kCondition,
  kBarrier,
  kSemaphore,
  kRwLock,
  kSpinLock,
  kOnce,
  kGuard,
  kOrder,
  kChannel,
};
constexpr size_t kSyncKindCount = 11;
SyncKind kind_of(SyncOp op);

struct SyncKey {
  SyncKind kind = SyncKind::kThread;
  uint64_t object = 0;
  auto operator<=>(const SyncKey&) const = default;
};
struct SyncKeyHash {
  size_t operator()(const SyncKey& k) const {
    return std::hash<uint64_t>()(k.object * kSyncKindCount + static_cast<uint64_t>(k.kind));
  }
};
// The object that the operation names first.
inline SyncKey key_of(const Sync& s) { return {kind_of(s.op), s.object}; }
// The mutex of a condition's wait.
inline SyncKey mutex_of(const Sync& s) { return {SyncKind::kMutex, s.object2}; }

// The lock of a FILE that the operation locks or unlocks, flockfile() or one of its like: where the C library has it.
// 0: it is on no FILE.
uint64_t file_lock(const Sync& s);

// That a thread has.
struct HeldLock {
  SyncKey lock;
  bool shared = false;  // a read lock
};

bool is_lock(SyncKind k);  // a mutex, spin lock, read-write lock
bool is_init(SyncOp op);
bool is_destroy(SyncOp op);
bool is_unlock(SyncOp op);
bool is_read_lock(SyncOp op);
bool is_condition_wait(SyncOp op);
bool is_semaphore_wait(SyncOp op);
// Gets something when it is left.
bool is_acquire(SyncOp op);

// The operation failed, and has no effect. A mutex whose owner died is got all the same.
bool failed(const Sync& s);
// A mutex was got whose owner died.
bool is_inherited(const Sync& s);
// A condition's wait that failed, but has its mutex again: its time is over, or it was cancelled. Other errors come
// before the mutex is given back.
bool has_mutex_again(const Sync& s);

}  // namespace cdr::sync

#endif
