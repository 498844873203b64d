// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/sync_objects.h"

namespace cdr::depend {
namespace {

// Of glibc's types on amd64.
constexpr uint64_t kMutexBytes = 40, kConditionBytes = 48, kRwLockBytes = 56, kBarrierBytes = 32, kSemaphoreBytes = 32,
                   kSpinBytes = 4, kOnceBytes = 4, kGuardBytes = 8;

bool between(SyncOp op, SyncOp first, SyncOp last) { return first <= op && op <= last; }

// 0: the object is no memory, or the program's own.
uint64_t object_bytes(SyncOp op) {
  if (between(op, SyncOp::kMutexInit, SyncOp::kMutexUnlock)) return kMutexBytes;
  if (between(op, SyncOp::kCondInit, SyncOp::kCondBroadcast)) return kConditionBytes;
  if (between(op, SyncOp::kBarrierInit, SyncOp::kBarrierWait)) return kBarrierBytes;
  if (between(op, SyncOp::kSemInit, SyncOp::kSemPost) || op == SyncOp::kSemTimedWait) return kSemaphoreBytes;
  if (between(op, SyncOp::kRwInit, SyncOp::kRwUnlock)) return kRwLockBytes;
  if (between(op, SyncOp::kSpinInit, SyncOp::kSpinUnlock)) return kSpinBytes;
  if (op == SyncOp::kOnce) return kOnceBytes;
  return between(op, SyncOp::kGuardAcquire, SyncOp::kGuardAbort) ? kGuardBytes : 0;
}

}  // namespace

void SyncObjects::turn_to(ThreadId thread) {
  if (thread.value >= threads_.size()) threads_.resize(thread.value + 1);
  auto& operations = threads_[thread.value];
  if (!operations) operations = std::make_unique<Operations>();
  present_ = operations.get();
}

void SyncObjects::enter(const Sync& sync) {
  const uint64_t bytes = object_bytes(sync.op);
  if (bytes == 0) return;
  const uint64_t mutex = sync.object2;  // of a wait
  present_->push_back(
      {sync.op, sync.object, {{sync.object, sync.object + bytes}, {mutex, mutex ? mutex + kMutexBytes : 0}}});
}

// The newest of its kind.
void SyncObjects::leave(const Sync& sync) {
  for (size_t i = present_->size(); i-- > 0;)
    if ((*present_)[i].op == sync.op && (*present_)[i].object == sync.object) {
      present_->erase(present_->begin() + static_cast<ptrdiff_t>(i));
      return;
    }
}

}  // namespace cdr::depend
