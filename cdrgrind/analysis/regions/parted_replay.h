// SPDX-License-Identifier: GPL-2.0-or-later
// A trace replayed for its loops by one thread, or by one that reads and several that share the memory among them. What
// they find is the same.
#ifndef CDRGRIND_ANALYSIS_REGIONS_PARTED_REPLAY_H
#define CDRGRIND_ANALYSIS_REGIONS_PARTED_REPLAY_H

#include "cdrgrind/analysis/events/event_parts.h"
#include "cdrgrind/analysis/regions/locked_facts.h"
#include "cdrgrind/analysis/regions/replay.h"

namespace cdr::regions {

// As of Replay.
struct ReplayInput {
  const std::vector<bool>& library;
  const slice::JumpTargets& jumps;
  CodeLoops& loops;
  const RegisterFlow& registers;
  const DataflowTable& flows;
  LockedFacts& facts;
  uint64_t threads = 8;
};

// `parts`: 1 to LineShare::kMostParts. Throws what reading and `read` throw.
Regions replay_by_parts(const trace::TraceFile& file, const ReplayInput& input, unsigned parts,
                        const analysis::EventsRead& read);

}  // namespace cdr::regions

#endif
