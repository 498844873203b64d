// SPDX-License-Identifier: GPL-2.0-or-later
// What threads know of each other, access by access: happens-before of segments (Segments), and edges that are added
// while the trace is read once more. Each access that matters has a tick of its thread; clocks count ticks.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_TICK_CLOCKS_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_TICK_CLOCKS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/segments.h"

namespace cdr::races {

class TickClocks {
 public:
  using Tick = SegmentNumber;
  // What a thread had done, and knew, at one of its ticks.
  struct Moment {
    ThreadId thread;  // none: nothing is known
    Tick tick = 0;
    VectorClock knew;
  };

  explicit TickClocks(const Segments& segments) : segments_(segments), threads_(segments.thread_count() + 1) {}

  // The thread is in that segment, and knows what others gave it up to its begin. Segments in between may be left out.
  void enter(ThreadId t, SegmentNumber n);
  SegmentNumber segment(ThreadId t) const { return threads_[t.value].segment; }
  // The thread's next tick. Those that do not fit count as one.
  Tick tick(ThreadId t) {
    Tick& now = threads_[t.value].now;
    return now += now != std::numeric_limits<Tick>::max();
  }
  // From now on it knows that.
  void learn(ThreadId t, const Moment& what);
  Moment now(ThreadId t) const { return {t, threads_[t.value].now, threads_[t.value].known}; }
  bool knows(ThreadId t, ThreadId other, Tick tick) const { return threads_[t.value].known[other] >= tick; }

 private:
  struct ThreadClock {
    VectorClock known;
    Tick now = 0;
    SegmentNumber segment = 0;
    std::vector<std::pair<SegmentNumber, VectorClock>> ends;  // what it knew at the ends of segments, and had done
  };
  // What comes of a clock of segments; strands that begin together have one.
  struct Told {
    VectorClock knew, known;
  };
  static void end_segment(ThreadId t, ThreadClock& thread);
  const VectorClock& told_by(const VectorClock& knew);
  void join_end(ThreadId of, SegmentNumber n, VectorClock& to) const;
  void join_ends(const ClockTree::Node* n, uint64_t low, VectorClock& to);

  const Segments& segments_;
  std::vector<ThreadClock> threads_;
  // By a part of what some thread knew of segments, that several share: what was known at the ends of these.
  std::unordered_map<const ClockTree::Node*, VectorClock> parts_;
  std::array<Told, 8> told_;  // the last ones, in turn
  size_t next_told_ = 0;
};

}  // namespace cdr::races

#endif
