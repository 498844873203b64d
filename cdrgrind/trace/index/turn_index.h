// SPDX-License-Identifier: GPL-2.0-or-later
// The true order of one epoch, for random access: which event of which thread stands at an index, and at which index
// an event of a thread stands.
#ifndef CDRGRIND_TRACE_INDEX_TURN_INDEX_H
#define CDRGRIND_TRACE_INDEX_TURN_INDEX_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/id.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

// A Turn is not counted among its thread's events: it stands before the one with this number.
struct TurnPlace {
  ThreadId thread;
  uint64_t event = 0;  // of the thread, in the epoch, from 0
  bool turn = false;
};

class TurnIndex {
 public:
  // False if the columns are damaged, the events are not `events`, or a thread's serial is above the limit.
  bool load(const Columns& turns, uint64_t events, uint64_t serial_limit);

  struct Segment {
    uint64_t begin = 0;         // index of its first event, from 0 in the epoch; of its Turn, if it has one
    uint64_t thread_begin = 0;  // number of its first event in the thread
    uint64_t events = 0;        // without the Turn
    uint32_t thread = 0;
    bool turn = false;
  };
  const std::vector<Segment>& segments() const { return segments_; }

  // Events of the thread.
  uint64_t events_of(ThreadId thread) const;
  // `event` < events_of(thread). O(log segments).
  uint64_t index_of(ThreadId thread, uint64_t event) const;
  // `index` < events of the epoch.
  TurnPlace at(uint64_t index) const;
  // Events of the thread before the index.
  uint64_t events_before(ThreadId thread, uint64_t index) const;

 private:
  std::vector<Segment> segments_;
  std::vector<std::vector<uint32_t>> of_thread_;  // by serial: its segments that have events
};

}  // namespace cdr::trace

#endif
