// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the pairs of streams that race: for every rectangle of concurrent segments the accesses of both sides are
// swept by address, and counted in closed form where progressions overlap.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_PAIRING_H
#define CDRGRIND_ANALYSIS_RACES_CORE_PAIRING_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/core/collected.h"

namespace cdr::races {

// One end of a race: an access of the stream in that segment that has the byte at `addr`.
struct RaceEnd {
  ThreadId thread;
  SegmentNumber segment = 0;
  uint64_t addr = 0, width = 0;  // the access's own
};

// Two streams that race. `a` is of the thread with the lower number; if found by memory the lower stream.
struct StreamPair {
  StreamId a = 0, b = 0;
  uint64_t instances = 0;  // unordered pairs of accesses; saturating
  RaceEnd of_a, of_b;      // of the earliest segments
  Progression addresses;   // of the racing accesses of the narrower side, from the lowest to the highest
  // What lies at one address of a stack is one variable now and another one later: where threads meet on a stack, each
  // pair of them has a number, from 1 on, and pairs of streams of its own.
  uint32_t meeting = 0;
};

// Of two streams so many are told apart; the others have number 0.
constexpr uint32_t kMostMeetings = 64;

// Thread by thread, or, of many, by memory (memory_pairing.h); `by_memory`: of few, too. In order of the streams'
// numbers.
std::vector<StreamPair> racing_pairs(const Collected& c, Order order, bool by_memory, analysis::WatchedPart& part);
// Steps of the part, at most.
uint64_t pairing_steps(const Collected& c, bool by_memory);

}  // namespace cdr::races

#endif
