// SPDX-License-Identifier: GPL-2.0-or-later
// Which races remain if others are put under a lock, and nothing else is done: races that only follow from others need
// not go away with these. Of the order that was observed: every access of the others is a critical section of one
// mutex by itself, so each hands on to the next what its thread has done.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_STAYING_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_STAYING_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/sites.h"
#include "cdrgrind/analysis/races/evidence/locked_races.h"
#include "cdrgrind/analysis/races/evidence/tick_clocks.h"
#include "cdrgrind/analysis/races/source/collector.h"

namespace cdr::races {

// Sees the accesses of all that race, one by one.
class Staying final : public Collector::Listener {
 public:
  Staying(const Segments& segments, const std::vector<LockedRaces>& all);

  void kept(const Collector::Kept& k) override;
  void segment_begins(ThreadId t, SegmentNumber n) override;

  // By LockedRaces, and number in `others`.
  const std::vector<std::vector<bool>>& found() const { return found_; }

 private:
  struct Touch {
    ThreadId thread;
    StreamId stream = 0;
    TickClocks::Tick tick = 0;
  };
  struct Lock {
    TickClocks clocks;
    TickClocks::Moment given;
    std::unordered_map<StreamId, bool> streams;              // that matter; those that are under it
    std::map<StreamIds, std::vector<size_t>> pairs;          // of which of the others
    std::unordered_map<uint64_t, std::vector<Touch>> bytes;  // the last touch of each thread and stream
  };
  void access(size_t lock, const Collector::Kept& k, bool locked);
  void touch(size_t lock, std::vector<Touch>& before, const Touch& now);

  std::vector<Lock> locks_;
  std::unordered_map<StreamId, std::vector<size_t>> locks_of_;  // in which a stream matters
  std::vector<SegmentNumber> segment_;                          // by thread: the present one
  std::vector<std::vector<bool>> found_;
};

}  // namespace cdr::races

#endif
