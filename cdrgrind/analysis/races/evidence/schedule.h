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
  bool is_racing(StreamId stream) const { return stream < racing_.size() && racing_[stream]; }
  void segment_begins(ThreadId t, SegmentNumber n) { clocks_.enter(t, n); }
  void access(const Collector::Kept& k);
  // As Collector::Listener has them.
  void repeats() {
    notes_ = true;
    noted_.clear();
  }
  void repeated(uint32_t times, uint64_t events);
  // Instances of a pair: each access with the last of the other stream and thread to its first racing byte.
  std::vector<slice::RacePair> instances(StreamId a, StreamId b) const {
    const auto found = instances_.find(std::minmax({a, b}));
    return found == instances_.end() ? std::vector<slice::RacePair>{} : found->second.take();
  }
  // Whether an instance of the pair is schedulable.
  bool schedulable(StreamId a, StreamId b) const { return found_.count(std::minmax({a, b})) != 0; }

 private:
  struct Touch {
    ThreadId thread;  // none: there is a later one of the thread
    TickClocks::Tick tick = 0;
    SegmentNumber segment = 0;
    analysis::AccessPosition at;
  };
  // Of one stream to one byte: of each thread the last. Threads may be very many.
  struct Touches {
    StreamId stream = 0;
    std::vector<Touch> all;                          // in order
    std::unordered_map<uint32_t, size_t> of_thread;  // in `all`, if these are not few
    // Each comes behind the one before it: who comes behind the last comes behind all.
    bool chain = true, chain_of_segments = true;
  };
  using Bytes = uint32_t;  // of a word: a bit for each
  // Bytes of a word that accesses have touched together up to now.
  struct Part {
    Bytes bytes = 0;
    GenerationId generation = 0;
    std::vector<Touches> streams;
    TickClocks::Moment written;  // none: not by a racing stream
  };
  using Word = std::vector<Part>;  // which have no byte in common; by their lowest ones
  static constexpr uint64_t kWord = 8;

  template <class F>
  static void for_each_word(uint64_t addr, uint64_t width, F f);
  static Bytes lowest(Bytes bytes) { return bytes & (~bytes + 1); }
  static void cut(Word& word, Bytes bytes);
  void touch(Part& p, StreamId stream, const Touch& now, bool store);
  void meet(const Touches& before, StreamId stream, const Touch& now);
  void add(Touches& to, const Touch& now) const;
  bool is_behind(const Touch& now, const Touch& before) const {
    return now.thread == before.thread ||
           segments_.known(now.thread, now.segment, before.thread, Order::kFull) >= before.segment;
  }
  bool knows(const Touch& now, const Touch& before) const {
    return now.thread == before.thread || clocks_.knows(now.thread, before.thread, before.tick);
  }

  const Segments& segments_;
  const Sites& sites_;
  std::vector<bool> racing_;
  TickClocks clocks_;
  std::unordered_map<uint64_t, Word> words_;  // by address / kWord
  std::set<std::pair<StreamId, StreamId>> found_;
  std::map<std::pair<StreamId, StreamId>, InstanceSample> instances_;
  bool notes_ = false;
  std::vector<std::pair<InstanceSample*, slice::RacePair>> noted_;  // of what repeats
  std::vector<StreamId> met_;                                       // by the present access, already
};

}  // namespace cdr::races

#endif
