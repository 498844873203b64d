// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the events of one thread from a place on, as a Cursor does, but for the Turns and the other threads: calls
// and returns with SP, blocks with their words. Nothing before the place is read.
#ifndef CDRGRIND_TRACE_INDEX_THREAD_CURSOR_H
#define CDRGRIND_TRACE_INDEX_THREAD_CURSOR_H

#include <unordered_map>
#include <vector>

#include "cdrgrind/trace/index/seeker.h"

namespace cdr::trace {

class ThreadCursor {
 public:
  // `seeker` must outlive the cursor; several may take turns on one. O(frames of the stack) places.
  ThreadCursor(Seeker& seeker, const TracePosition& place);

  // False at the end of the thread. Spans are valid until the next event is read by any cursor on the seeker, or it.
  bool next(Event& e);
  // Of the event last returned, in the thread; counts from 0.
  uint64_t event() const { return events_ - 1; }

 private:
  struct Streams {
    uint64_t executions = 0;  // in the epoch so far
    std::vector<AddressIndex::Steps> words;
  };

  void begin(const TracePosition& place);
  void find_push();
  bool next_event(Event& e);
  void stretch_event(Event& e, uint32_t stretch);
  void block(Event& e, BlockId id);
  void follow(Event& e, EventKind kind);
  void other_event(Event& e, uint32_t terminal);
  void apply(const Event& e);
  uint64_t word(const AddressStream& s, AddressIndex::Steps& at, uint64_t execution);

  Seeker& seeker_;
  EpochPin index_;
  TracePosition start_;  // in the epoch
  uint64_t events_ = 0;  // of the thread, before the next one
  WayCursor way_;
  uint32_t offset_ = 0;  // in the stretch
  std::span<const EventRow> rows_;
  size_t row_ = 0;  // the next one
  uint64_t sp_ = 0, last_ip_ = 0;
  uint64_t push_sp_ = 0;                           // of the last call block
  std::vector<uint64_t> frames_;                   // SP of the present stack's frames, innermost last
  std::unordered_map<uint32_t, Streams> streams_;  // by block
  std::vector<uint64_t> words_;
};

}  // namespace cdr::trace

#endif
