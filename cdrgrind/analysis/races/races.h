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
#include <string>
#include <vector>

#include "cdrgrind/analysis/races/core/collected.h"
#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/core/options.h"
#include "cdrgrind/analysis/races/core/race.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::races {

struct RaceSummary {
  uint64_t adhoc = 0;    // races that spin loops alone order
  uint64_t atomic = 0;   // that atomic accesses order
  uint64_t runtime = 0;  // accesses of the runtime to its own data, left out
  uint64_t gaps = 0;
  uint64_t hide_regions = 0;
  uint64_t events = 0;
  std::string read_events;  // why events were read one by one; empty: the compact form was enough
};

struct Races {
  std::vector<Race> races;  // by the time at which the second access of the example happened
  RaceSummary summary;
  std::shared_ptr<const Collected> collected;  // what they were found in
};

Races find_races(const trace::TraceFile& file, CodeFacts& facts, const RaceOptions& options);

}  // namespace cdr::races

#endif
