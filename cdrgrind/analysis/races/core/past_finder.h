// SPDX-License-Identifier: GPL-2.0-or-later
// What the threads that are there all know to be past, none of them can race with any more, nor can one that they
// create: so the pairs of it are found while accesses are still collected, and what it accessed is forgotten. Memory is
// that of what lies between two waits of all for all, whatever the length of the run.
//
// Who waits for a thread to end will know what that one knows; it seldom does anything before. Who has waited for long
// for a condition, a semaphore or a lock, as threads of a pool without work do, will be woken by somebody who knows all
// that is past by then. If it is otherwise (a signal's handler, a wait in vain), or if a thread comes from nowhere, all
// is to be collected without forgetting.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_PAST_FINDER_H
#define CDRGRIND_ANALYSIS_RACES_CORE_PAST_FINDER_H

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/core/collected.h"
#include "cdrgrind/base/event.h"

namespace cdr::races {

class PastFinder {
 public:
  // Looks for it whenever there are `least` entries more. It is worth it if half of all that there are is past.
  PastFinder(Collected& c, size_t least) : c_(c), least_(least), limit_(least) {}

  // ThreadCreate, ThreadStart, ThreadEnd, SyncEnter, SyncLeave, behind all that these do; others change nothing.
  void event(const Event& e);
  // That many entries have been put into the sets.
  void added(size_t n) { entries_ += n; }
  // Whether to find() now. If so, it has closed segments of threads that wait for others.
  bool prepare();
  // Afterwards, when what segments that are closed accessed has been put into the sets.
  void find();

  // The thread begins a segment.
  void segment_begins(ThreadId t) {
    if (thread(t).relied_on) check(t);
  }
  // A thread did something without knowing all that is past: the sets lack something.
  bool went_wrong() const { return went_wrong_; }

 private:
  struct Thread {
    bool starting = false, ended = false;
    bool relied_on = true;  // to begin nothing before it knows all that is past
    ThreadId awaited;       // its end
    uint32_t waits = 0;     // since that look; 0: it does not
  };
  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  bool is_there(uint32_t t) const { return t >= threads_.size() || !threads_[t].ended; }
  // One look at least has come and gone since it waits: who is woken begins to run before.
  bool waits_long(ThreadId t) const {
    return t.value < threads_.size() && threads_[t.value].waits != 0 && threads_[t.value].waits + 1 < looks_;
  }
  SegmentNumber will_know(ThreadId t, ThreadId other) const;
  SegmentNumber known_to_all(ThreadId t) const;
  bool knows(ThreadId t, const std::vector<SegmentNumber>& until) const;
  void check(ThreadId t);

  Collected& c_;
  size_t least_, limit_;
  size_t entries_ = 0;                // that are not past
  std::vector<SegmentNumber> until_;  // by thread: what find() will take for past
  uint32_t starting_ = 0;
  uint32_t looks_ = 1;
  std::vector<Thread> threads_;
  std::unordered_map<uint64_t, ThreadId> by_pthread_;
  bool went_wrong_ = false;
};

}  // namespace cdr::races

#endif
