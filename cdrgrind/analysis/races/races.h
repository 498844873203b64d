// SPDX-License-Identifier: GPL-2.0-or-later
// The data races of a trace: pairs of accesses of different threads, at least one of them a store, to a common
// byte of the same generation, that no synchronisation orders. docs/races.md defines all of it.
//
// A race here is a pair of instructions on one object, however often they raced; report/ groups these further by
// variable and lines. Reads the trace three times: survey.h, collector.h, witness.h.
#ifndef CDRGRIND_ANALYSIS_RACES_RACES_H
#define CDRGRIND_ANALYSIS_RACES_RACES_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/analysis/races/facts.h"
#include "cdrgrind/analysis/races/generations.h"
#include "cdrgrind/analysis/races/options.h"
#include "cdrgrind/analysis/races/progression.h"
#include "cdrgrind/analysis/races/segments.h"
#include "cdrgrind/analysis/slice/event_control.h"
#include "cdrgrind/analysis/sync/operations.h"
#include "cdrgrind/trace/trace_file.h"

namespace cdr::analysis {

// One access of the example.
struct RaceAccess {
  CodeAddr ip;
  CodeAddr from;  // of library code: the program's call
  bool store = false;
  bool atomic = false;
  bool presumed = false;  // atomic, for all that is known of it
  bool free = false;      // the block was freed
  bool spin = false;
  ThreadId thread;
  uint64_t addr = 0, width = 0;
  Place at;
  std::vector<CodeAddr> stack;  // innermost first; call instructions but for the first
  std::vector<HeldLock> locks;
};

struct RaceMemory {
  MemoryKind kind = MemoryKind::kUnknown;
  AddrRange range;                  // of the block or stack in the example
  ThreadId thread;                  // that allocated the block, that the stack belongs to
  uint64_t pthread = 0;             // of a stack
  std::vector<CodeAddr> allocated;  // call stack of the allocation
};

struct Race {
  RaceAccess first, second;  // in the order observed
  RaceMemory memory;
  uint64_t instances = 0;          // saturating
  Progression addresses;           // that raced; times is meaningless
  std::vector<RacePlaces> judged;  // instances, by time: the earliest, and some spread over the rest
  bool schedulable = false;
  bool mixed = false;  // one of them is atomic
  bool adhoc = false;  // the flag of a spin loop
  bool after_free = false;
};

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
};

Races find_races(const trace::TraceFile& file, CodeFacts& facts, const RaceOptions& options);

}  // namespace cdr::analysis

#endif
