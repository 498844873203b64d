// SPDX-License-Identifier: GPL-2.0-or-later
// A stretch of the event stream that owns what its events point to, so that several consumers can read it at a time.
#ifndef CDRGRIND_ANALYSIS_EVENTS_EVENT_BATCH_H
#define CDRGRIND_ANALYSIS_EVENTS_EVENT_BATCH_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::analysis {

class EventBatch {
 public:
  EventBatch();

  // Of one thread; a Call or Return is none of the first. False: it is full.
  bool add(ThreadId thread, Steps steps);
  // What is no step. False: it is full.
  bool add(const Event& e);
  void clear();
  void pass_to(RunSink& to) const;

 private:
  static constexpr size_t kSteps = 1 << 15;
  static constexpr size_t kWords = 1 << 17;

  struct Other {
    Event event;
    std::vector<uint64_t> words;
    std::vector<MemorySpan> memory;
    std::string text;
  };
  // A run of steps, or another event.
  struct Piece {
    ThreadId thread;
    uint32_t first = 0, end = 0;  // steps; none: the event `first`
  };

  std::vector<uint64_t> words_;  // grows only while it is empty: steps point into it
  std::vector<RunStep> steps_;
  std::vector<Piece> pieces_;
  std::vector<Other> others_;
};

}  // namespace cdr::analysis

#endif
