// SPDX-License-Identifier: GPL-2.0-or-later
// What keeps two accesses apart whatever the schedule: the start and end of threads, barriers, conditions, semaphores,
// routines that run once, and marks of order; of a parallel runtime what orders its strands. Locks and atomic accesses
// do not: which thread comes first is the schedule's. docs/sharing.md, "What may happen".
#ifndef CDRGRIND_ANALYSIS_SHARING_LASTING_ORDER_H
#define CDRGRIND_ANALYSIS_SHARING_LASTING_ORDER_H

#include <optional>

#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/races/core/strand_clocks.h"
#include "cdrgrind/analysis/sync/machine.h"
#include "cdrgrind/base/event.h"

namespace cdr::sharing {

class LastingOrder final : sync::SyncClient<races::Knowledge> {
 public:
  LastingOrder() : machine_(*this) {}
  LastingOrder(const LastingOrder&) = delete;
  LastingOrder& operator=(const LastingOrder&) = delete;

  // Before the first event: from now on strands have numbers, greater than the last thread's.
  void follow_strands(uint32_t last_thread, races::StrandClocks::Owner& owner) {
    strands_.emplace(segments_, last_thread, false, owner);
  }
  races::StrandClocks* strands() { return strands_ ? &*strands_ : nullptr; }

  // SyncEnter, SyncLeave, ThreadCreate, ThreadStart, ThreadEnd; others change nothing.
  void event(const Event& e, uint64_t index) {
    if (strands_) strands_->event(e, index);
    const bool operation = e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave;
    if (operation && sync::is_lock(sync::kind_of(e.sync.op))) return;
    machine_.event(e);
  }
  // The segment in which an access of the thread, or strand, is now.
  races::SegmentNumber segment(ThreadId t, uint64_t index) { return segments_.use(t, {index, 0}); }
  const races::Segments& segments() const { return segments_; }

 private:
  races::Knowledge release(ThreadId by) override { return segments_.give(by); }
  // A condition's wait gets its mutex back.
  void acquire(ThreadId by, const Acquired& what, const races::Knowledge& from) override {
    if (!sync::is_lock(what.of.kind)) segments_.get(by, from, races::EdgeKind::kSync);
  }

  races::Segments segments_;
  sync::SyncMachine<races::Knowledge> machine_;
  std::optional<races::StrandClocks> strands_;
};

}  // namespace cdr::sharing

#endif
