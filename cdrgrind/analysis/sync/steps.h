// SPDX-License-Identifier: GPL-2.0-or-later
// The log of synchronisation of a trace (S_synch of Goel, Roychoudhury and Mitra 2003, section 2.1): every enter and
// leave of an operation, starts and ends of threads, in true order, each with what its thread had executed before.
// A compact trace is not unfolded: an event's instructions come from the prefix sums of its thread's path.
#ifndef CDRGRIND_ANALYSIS_SYNC_STEPS_H
#define CDRGRIND_ANALYSIS_SYNC_STEPS_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::sync {

struct SyncStep {
  uint64_t index = 0;   // of the event in the trace, from 0
  uint64_t number = 0;  // of enters and leaves, from 1; of other events that of the last one before
  uint64_t insns = 0;   // that the thread had executed, without the preload's own
  ThreadId thread;
  EventKind kind = EventKind::kNone;  // SyncEnter, SyncLeave, ThreadCreate, ThreadStart, ThreadEnd
  ThreadId child;                     // of ThreadCreate; of ThreadStart the creator
  Sync sync;
};

// Those before event `end`. Compact traces: O(events of synchronisation × depth of the grammar); plain ones: O(events).
void for_each_sync_step(const trace::TraceFile& file, const std::function<void(const SyncStep&)>& visit,
                        uint64_t end = std::numeric_limits<uint64_t>::max());
// The same, as long as the part, which counts events, goes on.
void for_each_sync_step(const trace::TraceFile& file, const std::function<void(const SyncStep&)>& visit,
                        analysis::WatchedPart& part);

// Which events a trace has. The paths of a compact one are not gone through.
class EventsPresent {
 public:
  explicit EventsPresent(const trace::TraceFile& file);
  // Whether any operation that was entered is one of these.
  bool operation(bool (*which)(SyncOp)) const { return std::any_of(entered_.begin(), entered_.end(), which); }
  // Whether there is any event of these kinds.
  bool event(bool (*which)(EventKind)) const { return std::any_of(kinds_.begin(), kinds_.end(), which); }

 private:
  void note(const Event& e) {
    kinds_.insert(e.kind);
    if (e.kind == EventKind::kSyncEnter) entered_.insert(e.sync.op);
  }

  std::set<EventKind> kinds_;
  std::set<SyncOp> entered_;
};

inline bool has_operation(const trace::TraceFile& file, bool (*which)(SyncOp)) {
  return EventsPresent(file).operation(which);
}

// The heap blocks in which addresses lie.
struct BlockRequest {
  uint64_t addr = 0;
  uint64_t before = 0;  // the last allocation before this event
};
struct BlockFound {
  AddrRange range;     // empty: none
  uint64_t event = 0;  // of the allocation
  ThreadId thread;
};
std::vector<BlockFound> heap_blocks_of(const trace::TraceFile& file, std::span<const BlockRequest> requests);

}  // namespace cdr::sync

#endif
