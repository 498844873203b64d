// SPDX-License-Identifier: GPL-2.0-or-later
// What threads know of each other, access by access: happens-before of segments (Segments), and edges that are added
// while the trace is read once more. Each access that matters has a tick of its thread; clocks count ticks.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_TICK_CLOCKS_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_TICK_CLOCKS_H

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/segments.h"

namespace cdr::races {

class TickClocks {
 public:
  using Ticks = std::vector<uint64_t>;  // by thread
  // What a thread had done, and knew, at one of its ticks.
  struct Moment {
    ThreadId thread;  // none: nothing is known
    uint64_t tick = 0;
    std::shared_ptr<Ticks> knew;
  };

  explicit TickClocks(const Segments& segments) : segments_(segments), threads_(segments.thread_count() + 1) {}

  // The thread is in that segment, and knows what others gave it up to its begin. Segments in between may be left out.
  void enter(ThreadId t, SegmentNumber n);
  SegmentNumber segment(ThreadId t) { return at(t).segment; }
  // The thread's next tick.
  uint64_t tick(ThreadId t) { return ++at(t).now; }
  // From now on it knows that.
  void learn(ThreadId t, const Moment& what);
  Moment now(ThreadId t) { return {t, at(t).now, at(t).known}; }
  bool knows(ThreadId t, ThreadId other, uint64_t tick) { return (*at(t).known)[other.value] >= tick; }

 private:
  struct ThreadClock {
    std::shared_ptr<Ticks> known;  // copied when it changes while others hold it
    uint64_t now = 0;
    SegmentNumber segment = 0;
    std::vector<std::pair<SegmentNumber, std::shared_ptr<Ticks>>> ends;  // what it knew at the ends of segments
  };
  ThreadClock& at(ThreadId t);
  static void join(ThreadClock& to, ThreadId from, const std::shared_ptr<Ticks>& what, uint64_t tick);
  static void end_segment(ThreadId t, ThreadClock& thread);

  const Segments& segments_;
  std::vector<ThreadClock> threads_;
};

}  // namespace cdr::races

#endif
