// SPDX-License-Identifier: GPL-2.0-or-later
// What became of each object of synchronisation in a run, counted. docs/sync.md defines the numbers.
#ifndef CDRGRIND_ANALYSIS_SYNC_OBJECTS_H
#define CDRGRIND_ANALYSIS_SYNC_OBJECTS_H

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/sync/ledger.h"

namespace cdr::sync {

// From the leave of a lock to the enter of its unlock.
struct CriticalSection {
  uint64_t insns = 0;
  ThreadId thread;
  uint64_t begin = 0, end = 0;  // events
};

struct SyncObject {
  SyncKey key;
  uint64_t first_event = 0;                                 // that names it
  uint64_t events = 0;                                      // that name it, in the part that is counted
  uint64_t acquisitions = 0;                                // locks, waits that ended well, passes of a barrier
  uint64_t shared = 0;                                      // of these: read locks
  uint64_t releases = 0;                                    // posts, signals, broadcasts, before-marks
  uint64_t contended = 0;                                   // enters that had to wait
  uint64_t failed = 0;                                      // tries and timed waits that got nothing
  uint64_t hand_overs = 0;                                  // acquisitions from another thread
  std::map<std::pair<ThreadId, ThreadId>, uint64_t> pairs;  // from, to
  std::set<ThreadId> threads;
  uint64_t insns_held = 0;  // in all critical sections
  CriticalSection longest;
};

struct SyncTotals {
  std::vector<SyncObject> objects;  // by kind and address
  uint64_t events = 0;              // enters and leaves
  std::vector<ThreadId> threads;    // that started
};

// A part of a run, both ends included.
struct EventRange {
  uint64_t first = 0, last = std::numeric_limits<uint64_t>::max();
  bool has(uint64_t event) const { return first <= event && event <= last; }
};

// Of all objects and operations, but counted are those in the range; critical sections by where they begin.
class ObjectCounter {
 public:
  explicit ObjectCounter(const EventRange& range) : range_(range) {}

  void step(const SyncStep& s);
  SyncTotals take();

 private:
  SyncObject& object(const SyncKey& key, const SyncStep& s);
  void enter(const SyncStep& s, const SyncMeaning& m);
  void leave(const SyncStep& s);
  void got(const SyncGot& g, const SyncStep& s);
  void end_section(const SyncKey& key, const SyncStep& s);

  EventRange range_;
  SyncLedger ledger_;
  SyncTotals totals_;
  std::map<SyncKey, SyncObject> objects_;
  std::map<std::pair<SyncKey, ThreadId>, CriticalSection> sections_;  // that are open
  std::map<std::pair<SyncKey, ThreadId>, uint64_t> begins_;           // instructions before
};

// As far as `watch` lets it.
SyncTotals count_sync(const trace::TraceFile& file, const analysis::Watch& watch = {});

}  // namespace cdr::sync

#endif
