// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the pairs of streams that race: for every rectangle of concurrent segments the accesses of both sides are
// swept by address, and counted in closed form where progressions overlap.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_PAIRING_H
#define CDRGRIND_ANALYSIS_RACES_CORE_PAIRING_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/core/collected.h"
#include "cdrgrind/analysis/races/core/stream_pair.h"

namespace cdr::races {

// Whether pairs are looked for thread by thread: of so many threads.
bool by_threads(uint32_t threads, bool by_memory);
// Thread by thread, or, of many, by memory (memory_pairing.h); `by_memory`: of few, too. In order of the streams'
// numbers.
std::vector<StreamPair> racing_pairs(const Collected& c, Order order, bool by_memory, analysis::WatchedPart& part);
// Steps of the part, at most.
uint64_t pairing_steps(const Collected& c, bool by_memory);

// Nothing that comes is concurrent with segments up to until[thread], of all threads: finds their pairs, and forgets
// what they accessed (PastSegments). Only where pairs are looked for thread by thread.
void find_past_pairs(const std::vector<SegmentNumber>& until, Collected& c);

}  // namespace cdr::races

#endif
