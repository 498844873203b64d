// SPDX-License-Identifier: GPL-2.0-or-later
// The third look at a trace, if there are races: for one instance of each, who did it, from where, holding what;
// and which are schedulable. Follows the same events with the same Collector, so numbers are those of the second.
#ifndef CDRGRIND_ANALYSIS_RACES_EVIDENCE_WITNESS_H
#define CDRGRIND_ANALYSIS_RACES_EVIDENCE_WITNESS_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/pairing.h"
#include "cdrgrind/analysis/races/core/race.h"
#include "cdrgrind/analysis/races/evidence/schedule.h"
#include "cdrgrind/analysis/races/evidence/strand_turns.h"

namespace cdr::races {

// Where an access was that was not found, as the search ended before.
constexpr AccessPosition kNotSeen{~uint64_t{0}, ~uint32_t{0}};

// An access to be found: the stream's first in the segment at that address. Fills `to`.
struct Wanted {
  RaceEnd end;
  StreamId stream = 0;
  RaceAccess* to = nullptr;
};

class Witness final : public Collector::Listener {
 public:
  Witness(Collector& collector, const FirstPass& first_pass, const Sites& sites, Schedule& schedule,
          const std::vector<Wanted>& wanted);

  // Every event, before the collector gets it.
  void event(const Event& e);
  void kept(const Collector::Kept& k) override;
  void segment_begins(ThreadId t, SegmentNumber n) override;
  void repeats() override { schedule_.repeats(); }
  void repeated(uint32_t times, uint64_t events) override { schedule_.repeated(times, events); }
  // The frames of the collector's stacks tell where they lie: `frame` is filled, too.
  void fill_frames() { fills_frames_ = true; }
  // Which strands made the racing accesses that were seen, if there are any.
  StrandTurns take_turns() { return std::move(turns_); }

 private:
  void describe(ThreadId thread, StreamId stream, uint64_t addr, RaceAccess& to) const;
  void fill(const Wanted& w, const Collector::Kept& k);
  void fill_strand(ThreadId t, RaceAccess& to);

  Collector& collector_;
  const FirstPass& first_pass_;
  const Sites& sites_;
  Schedule& schedule_;
  StrandTurns turns_;
  std::map<std::pair<ThreadId, SegmentNumber>, std::vector<Wanted>> wanted_;
  std::unordered_map<uint64_t, CodeAddr> created_;  // by task: the program's call
  std::vector<std::vector<Wanted>*> open_;          // by thread: those of the present segment
  bool fills_frames_ = false;
};

}  // namespace cdr::races

#endif
