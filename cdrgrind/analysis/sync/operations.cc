// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/operations.h"

namespace cdr::sync {
namespace {

constexpr int64_t kOwnerDead = 130, kTimeOut = 110;  // of Linux on amd64

bool between(SyncOp op, SyncOp first, SyncOp last) { return op >= first && op <= last; }

}  // namespace

SyncKind kind_of(SyncOp op) {
  if (between(op, SyncOp::kMutexInit, SyncOp::kMutexUnlock)) return SyncKind::kMutex;
  if (between(op, SyncOp::kCondInit, SyncOp::kCondBroadcast)) return SyncKind::kCondition;
  if (between(op, SyncOp::kBarrierInit, SyncOp::kBarrierWait)) return SyncKind::kBarrier;
  if (between(op, SyncOp::kSemInit, SyncOp::kSemPost) || op == SyncOp::kSemTimedWait) return SyncKind::kSemaphore;
  if (between(op, SyncOp::kRwInit, SyncOp::kRwUnlock)) return SyncKind::kRwLock;
  if (between(op, SyncOp::kSpinInit, SyncOp::kSpinUnlock)) return SyncKind::kSpinLock;
  if (op == SyncOp::kOnce || op == SyncOp::kOnceRun) return SyncKind::kOnce;
  if (between(op, SyncOp::kGuardAcquire, SyncOp::kGuardAbort)) return SyncKind::kGuard;
  if (op == SyncOp::kHappensBefore || op == SyncOp::kHappensAfter) return SyncKind::kOrder;
  if (is_channel_op(op)) return SyncKind::kChannel;
  return SyncKind::kThread;
}

bool is_lock(SyncKind k) { return k == SyncKind::kMutex || k == SyncKind::kSpinLock || k == SyncKind::kRwLock; }

bool is_init(SyncOp op) {
  return op == SyncOp::kMutexInit || op == SyncOp::kCondInit || op == SyncOp::kBarrierInit || op == SyncOp::kSemInit ||
         op == SyncOp::kRwInit || op == SyncOp::kSpinInit;
}

bool is_destroy(SyncOp op) {
  return op == SyncOp::kMutexDestroy || op == SyncOp::kCondDestroy || op == SyncOp::kBarrierDestroy ||
         op == SyncOp::kSemDestroy || op == SyncOp::kRwDestroy || op == SyncOp::kSpinDestroy;
}

bool is_unlock(SyncOp op) { return op == SyncOp::kMutexUnlock || op == SyncOp::kSpinUnlock || op == SyncOp::kRwUnlock; }

bool is_read_lock(SyncOp op) { return between(op, SyncOp::kRwReadLock, SyncOp::kRwTimedReadLock); }

bool is_condition_wait(SyncOp op) { return op == SyncOp::kCondWait || op == SyncOp::kCondTimedWait; }

bool is_semaphore_wait(SyncOp op) {
  return op == SyncOp::kSemWait || op == SyncOp::kSemTryWait || op == SyncOp::kSemTimedWait;
}

bool is_acquire(SyncOp op) {
  switch (op) {
    case SyncOp::kMutexLock:
    case SyncOp::kMutexTryLock:
    case SyncOp::kMutexTimedLock:
    case SyncOp::kSpinLock:
    case SyncOp::kSpinTryLock:
    case SyncOp::kBarrierWait:
    case SyncOp::kThreadJoin:
    case SyncOp::kOnce:
    case SyncOp::kGuardAcquire:
    case SyncOp::kHappensAfter:
    case SyncOp::kChannelReceive:
      return true;
    default:
      return is_condition_wait(op) || is_semaphore_wait(op) ||
             between(op, SyncOp::kRwReadLock, SyncOp::kRwTimedWriteLock);
  }
}

uint64_t file_lock(const Sync& s) { return kind_of(s.op) == SyncKind::kMutex ? s.object2 : 0; }

bool failed(const Sync& s) {
  const bool wrong = s.flags & (kSyncFailed | kSyncUnwound);
  return wrong && !is_inherited(s);
}

bool is_inherited(const Sync& s) {
  return kind_of(s.op) == SyncKind::kMutex && is_acquire(s.op) && s.result == kOwnerDead;
}

bool has_mutex_again(const Sync& s) {
  return is_condition_wait(s.op) && ((s.flags & kSyncUnwound) || s.result == kTimeOut);
}

}  // namespace cdr::sync
