// SPDX-License-Identifier: GPL-2.0-or-later
// Synchronisation as edges between segments: what sync/machine.h gives and gets is knowledge of other threads.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_SYNC_EDGES_H
#define CDRGRIND_ANALYSIS_RACES_CORE_SYNC_EDGES_H

#include <cstdint>
#include <functional>
#include <vector>

#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/sync/machine.h"
#include "cdrgrind/base/event.h"

// sync_edges.cc has it.
extern template class cdr::sync::SyncMachine<cdr::races::Knowledge>;
extern template void cdr::sync::SyncMachine<cdr::races::Knowledge>::event(const cdr::Event& e, bool ignored);

namespace cdr::races {

class SyncEdges final : sync::SyncClient<Knowledge> {
 public:
  // Operations that are entered by events for which `ignored` is true order nothing.
  SyncEdges(Segments& segments, std::function<bool(const Event&)> ignored)
      : segments_(segments), ignored_(std::move(ignored)), machine_(*this) {}

  // SyncEnter, SyncLeave, SignalEnter, ThreadCreate, ThreadStart, ThreadEnd; others change nothing.
  void event(const Event& e) { machine_.event(e, e.kind == EventKind::kSyncEnter && ignored_(e)); }

  // Whether the thread is inside an operation, but not in a routine of the program that the operation calls.
  bool in_operation(ThreadId t) const { return is_of_library(machine_.operation(t)); }
  // Whether what the thread is sending has been received already.
  bool was_received(ThreadId t) const { return machine_.was_received(t); }
  // In the order in which it got them.
  std::vector<sync::HeldLock> held(ThreadId t) { return machine_.held(t); }

  // A C++ local static variable's guard is read without a call when the variable is there.
  void guard_read(ThreadId t, uint64_t guard) {
    if (const Knowledge* given = machine_.routine(sync::SyncKind::kGuard, guard)) get(t, *given);
  }

 private:
  Knowledge release(ThreadId by) override { return segments_.give(by); }
  void acquire(ThreadId by, const Acquired&, const Knowledge& from) override { get(by, from); }
  void get(ThreadId t, const Knowledge& what) { segments_.get(t, what, EdgeKind::kSync); }

  Segments& segments_;
  std::function<bool(const Event&)> ignored_;
  sync::SyncMachine<Knowledge> machine_;
};

}  // namespace cdr::races

#endif
