// SPDX-License-Identifier: GPL-2.0-or-later
// The data races of a trace: pairs of accesses of different threads, at least one of them a store, to a common
// byte of the same generation, that no synchronisation orders. docs/races.md defines all of it.
//
// A race here is a pair of instructions on one object, however often they raced; report/ groups these further by
// variable and lines. Reads the trace three times: first_pass.h, collector.h, witness.h.
#ifndef CDRGRIND_ANALYSIS_RACES_RACES_H
#define CDRGRIND_ANALYSIS_RACES_RACES_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/core/collected.h"
#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/core/options.h"
#include "cdrgrind/analysis/races/core/race.h"
#include "cdrgrind/analysis/races/evidence/locked_races.h"
#include "cdrgrind/analysis/races/evidence/strand_turns.h"
#include "cdrgrind/analysis/slice/managed_threads.h"
#include "cdrgrind/trace/index/seeker.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::races {

struct RaceSummary {
  uint64_t adhoc = 0;                      // races that spin loops alone order
  uint64_t atomic = 0;                     // that atomic accesses order
  uint64_t runtime = 0;                    // accesses of the runtime to its own data, left out
  std::optional<uint64_t> unknown_orders;  // --atomics=c++: atomic instructions whose memory order is not known
  uint64_t gaps = 0;
  uint64_t hide_regions = 0;
  bool no_operations = false;  // the library of a parallel runtime is there, but no operation of it
  bool strands = false;        // of a parallel runtime: a race is one of strands, whichever threads ran them
  std::string read_events;     // why events were read one by one; empty: the compact form was enough
};

// Where a search ended early, if it did.
struct SearchEnd {
  std::optional<uint64_t> event;  // only events before this one were looked at
  bool pairs = false;             // not all threads were compared with each other
  bool examples = false;          // some races have no example: no stacks, no instances to be judged
};

struct Races {
  std::vector<Race> races;  // by the time at which the second access of the example happened
  RaceSummary summary;
  std::shared_ptr<const Collected> collected;  // what they were found in
  StrandTurns turns;                           // which strands made their accesses, if there are any
  SearchEnd end;
};

// A part that is ended (Watch) leaves out the rest; later parts look at as much as the earlier ones did. All references
// must outlive it.
class RaceSearch {
 public:
  RaceSearch(const trace::TraceFile& file, CodeFacts& facts, const RaceOptions& options, const analysis::Watch& watch);
  ~RaceSearch();
  RaceSearch(const RaceSearch&) = delete;
  RaceSearch& operator=(const RaceSearch&) = delete;

  Races find();
  // By which what threads repeat is passed over; null: by none.
  trace::Seeker* seeker();
  slice::CLibrary c_library() const;
  // After that, of races that were found: by lock, and number in `others`, whether the race remains (staying.h). Reads
  // the trace once more. Nothing if that was ended.
  std::optional<std::vector<std::vector<bool>>> staying(const std::vector<LockedRaces>& all);

 private:
  class Finder;
  std::unique_ptr<Finder> finder_;
};

Races find_races(const trace::TraceFile& file, CodeFacts& facts, const RaceOptions& options);

}  // namespace cdr::races

#endif
