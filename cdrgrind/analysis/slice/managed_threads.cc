// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/managed_threads.h"

#include <algorithm>

namespace cdr::slice {
namespace {

constexpr uint64_t kControlBlock = 4096, kDeepest = 1 << 20;

bool manages(SyncOp op) {
  return op == SyncOp::kThreadCreate || op == SyncOp::kThreadJoin || op == SyncOp::kThreadDetach ||
         op == SyncOp::kThreadCancel;
}

}  // namespace

void ManagedThreads::event(const Event& e) {
  switch (e.kind) {
    case EventKind::kCall:
    case EventKind::kReturn:
      thread(e.thread).sp = e.sp;
      return;
    case EventKind::kSyncEnter:
      if (!manages(e.sync.op) || operation(e.thread) != SyncOp::kNone) return;
      thread(e.thread).operation = e.sync.op;
      thread(e.thread).sp_of_op = thread(e.thread).sp;
      return;
    case EventKind::kSyncLeave:
      if (operation(e.thread) == e.sync.op) thread(e.thread).operation = SyncOp::kNone;
      return;
    case EventKind::kThreadStart:
      if (e.value) own_.push_back({e.value, e.value + kControlBlock});
      return;
    case EventKind::kMap:
      forget(e.range);
      if (operation(e.thread) == SyncOp::kThreadCreate) own_.push_back(e.range);
      return;
    case EventKind::kUnmap:
      return forget(e.range);
    default:
      return;
  }
}

void ManagedThreads::forget(AddrRange r) {
  std::erase_if(own_, [&](const AddrRange& o) { return r.begin <= o.begin && o.end <= r.end; });
}

bool ManagedThreads::is_own(ThreadId t, uint64_t addr) const {
  if (operation(t) == SyncOp::kNone) return true;
  const Thread& at = threads_[t.value];
  if (addr < at.sp_of_op && at.sp_of_op - addr <= kDeepest) return true;
  const auto after = std::partition_point(library_.data.begin(), library_.data.end(),
                                          [&](const AddrRange& r) { return r.end <= addr; });
  if (after != library_.data.end() && after->contains(addr)) return true;
  return std::any_of(own_.begin(), own_.end(), [&](const AddrRange& r) { return r.contains(addr); });
}

}  // namespace cdr::slice
