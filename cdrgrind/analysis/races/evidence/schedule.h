// SPDX-License-Identifier: GPL-2.0-or-later
// Which races could also have happened the other way round although every read kept the write that it saw
// (Mathur, Kini and Viswanathan 2018): those that happens-before together with edges from the last write of a byte
// to the reads that saw it does not order.
//
// Such an edge adds something only where the two accesses race themselves; so only accesses of racing streams are
// looked at.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_SCHEDULE_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_SCHEDULE_H

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/instances.h"
#include "cdrgrind/analysis/races/evidence/tick_clocks.h"
#include "cdrgrind/analysis/races/source/collector.h"

namespace cdr::races {

class Schedule {
 public:
  // `racing` by stream; `pairs`: those that race, lower stream first.
  Schedule(const Segments& segments, const Sites& sites, std::vector<bool> racing)
      : segments_(segments), sites_(sites), racing_(std::move(racing)), clocks_(segments) {}

  const std::vector<bool>& racing() const { return racing_; }  // by stream
  void segment_begins(ThreadId t, SegmentNumber n) { clocks_.enter(t, n); }
  void access(const Collector::Kept& k);
  // Instances of a pair: each access with the last of the other stream and thread to its first racing byte.
  std::vector<slice::RacePair> instances(StreamId a, StreamId b) const {
    const auto found = instances_.find(std::minmax({a, b}));
    return found == instances_.end() ? std::vector<slice::RacePair>{} : found->second.take();
  }
  // Whether an instance of the pair is schedulable.
  bool schedulable(StreamId a, StreamId b) const { return found_.count(std::minmax({a, b})) != 0; }

 private:
  struct Touch {
    ThreadId thread;
    StreamId stream = 0;
    uint64_t tick = 0;
    SegmentNumber segment = 0;
    analysis::AccessPosition at;
  };
  struct Byte {
    GenerationId generation = 0;
    std::vector<Touch> touches;  // the last of each thread and stream
    TickClocks::Moment written;  // none: not by a racing stream
  };

  void touch(Byte& b, const Touch& now, bool store);
  void meet(const Touch& before, const Touch& now);

  const Segments& segments_;
  const Sites& sites_;
  std::vector<bool> racing_;
  TickClocks clocks_;
  std::unordered_map<uint64_t, Byte> bytes_;
  std::set<std::pair<StreamId, StreamId>> found_;
  std::map<std::pair<StreamId, StreamId>, InstanceSample> instances_;
  std::vector<StreamId> met_;  // by the present access, already
};

}  // namespace cdr::races

#endif
