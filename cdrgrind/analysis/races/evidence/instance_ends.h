// SPDX-License-Identifier: GPL-2.0-or-later
// Which accesses are ends of instances of races, by what the second look collected: an access is one if its stream
// races with another that has a byte in common with it, in a concurrent segment of another thread.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_INSTANCE_ENDS_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_INSTANCE_ENDS_H

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/analysis/races/core/collected.h"
#include "cdrgrind/analysis/races/core/concurrency.h"
#include "cdrgrind/analysis/races/evidence/strand_turns.h"
#include "cdrgrind/analysis/slice/race_ends.h"

namespace cdr::races {

// What one thread's accesses of one stream touched, by segments.
class StreamFootprint {
 public:
  void add(const AccessEntry& e) { entries_.push_back(e); }
  // Whether one of these segments touched the bytes.
  bool touched(SegmentRange segments, AddrRange bytes);
  bool meets(SegmentRange segments, const Progression& p);
  // f(each progression of the segment)
  template <class F>
  void in_segment(SegmentNumber s, F f) const {
    for (size_t i = first_of(s); i < entries_.size() && entries_[i].segment == s; ++i) f(entries_[i].at);
  }

 private:
  // Entries [k * 2^n, (k + 1) * 2^n).
  struct Node {
    bool made = false;
    AddressRanges near;
    std::vector<Progression> wide;  // too many bytes apart from each other
  };
  static constexpr unsigned kLeafBits = 4;

  size_t first_of(SegmentNumber s) const;
  const Node& node(unsigned bits, size_t k);
  // Whether f(node) or g(progression) holds for a part of what these segments touched.
  template <class F, class G>
  bool any_of(SegmentRange segments, F f, G g);

  std::vector<AccessEntry> entries_;
  std::vector<std::vector<Node>> nodes_;  // by size
};

class InstanceEnds final : public slice::RaceEnds {
 public:
  // `races`: the streams of each that race with each other. `turns`: of strands, if there are any. All must outlive it.
  InstanceEnds(const Collected& c, const std::vector<std::vector<StreamIds>>& races,
               const StrandTurns* turns = nullptr);

  bool may_be_end(CodeAddr ip) const override { return ips_.count(ip.addr) != 0; }
  void labels_of(const slice::Touch& t, std::vector<slice::LabelId>& to) override;
  bool are_alike(ThreadId t, uint64_t begin, uint64_t end) const override;
  void restart() override { present_.assign(collected_.sets.size(), Present()); }
  bool are_partners(slice::LabelId a, slice::LabelId b) override;
  std::vector<slice::Course> courses(ThreadId thread, AccessPosition at) const override {
    return turns_ ? turns_->courses(thread, at) : RaceEnds::courses(thread, at);
  }

 private:
  struct Partner {
    StreamId stream = 0;
    uint32_t race = 0;
  };
  // What the thread's present segment has of one instruction.
  struct Here {
    StreamId stream = 0;
    Progression at;
    bool store = false;
    uint64_t reach = 0;  // no one before it ends behind this
  };
  struct Present {
    SegmentNumber segment = 0;
    size_t next = 0;                                        // of the thread's racing entries
    std::unordered_map<uint64_t, std::vector<Here>> here;   // by instruction; each by base
    std::unordered_map<uint32_t, SegmentRange> concurrent;  // by other thread
    std::unordered_map<uint32_t, slice::LabelId> labels;    // by race
  };

  void add_thread(ThreadId t);
  static uint64_t key_of(ThreadId t, StreamId s) { return uint64_t{t.value} << 32 | s; }
  StreamFootprint& footprint(ThreadId t, StreamId s) { return footprints_[key_of(t, s)]; }
  // Frees have none: where they come from takes the stack to know.
  uint64_t ip_of(StreamId s) const;
  // The thread, or the strand in whose name it makes the access.
  ThreadId by(const slice::Touch& t) const;
  Present& present(ThreadId by, AccessPosition at);
  void enter_segment(ThreadId t, Present& p);
  bool has_partner(ThreadId t, Present& p, StreamId stream, AddrRange bytes);
  void give(const slice::Touch& t, ThreadId by, Present& p, StreamId stream, std::vector<slice::LabelId>& to);
  bool find_common(const slice::RaceLabel& a, const slice::RaceLabel& b);
  // Whether the stream's accesses in segment `of` of its thread meet some of the other's in segment `with`.
  bool meet(const slice::RaceLabel& of, StreamId stream, const slice::RaceLabel& with, StreamId other);
  bool are_concurrent(const slice::RaceLabel& a, const slice::RaceLabel& b) const;

  const Collected& collected_;
  const std::vector<std::vector<StreamIds>>& races_;
  const StrandTurns* turns_;
  std::unordered_set<uint64_t> ips_;
  std::unordered_map<StreamId, std::vector<Partner>> partners_;
  std::unordered_map<StreamId, std::vector<ThreadId>> threads_;  // that have it
  std::unordered_map<uint64_t, StreamFootprint> footprints_;     // thread, stream
  std::vector<std::vector<StreamId>> streams_;                   // by thread: the racing ones that it has
  std::vector<std::vector<uint32_t>> racing_;                    // by thread: entries of racing streams
  std::vector<Present> present_;                                 // by thread
  std::map<std::tuple<uint32_t, ThreadId, SegmentNumber>, slice::LabelId> labels_;  // race, thread, segment
  std::unordered_map<uint64_t, bool> partner_labels_;
};

}  // namespace cdr::races

#endif
