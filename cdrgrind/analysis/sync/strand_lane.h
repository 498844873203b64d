// SPDX-License-Identifier: GPL-2.0-or-later
// A lane of strands in a chart, and the steps in it (strand_lanes.h).
#ifndef CDRGRIND_ANALYSIS_SYNC_STRAND_LANE_H
#define CDRGRIND_ANALYSIS_SYNC_STRAND_LANE_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/strands/strand.h"
#include "cdrgrind/base/id.h"

namespace cdr::sync {

struct StrandLane {
  strands::StrandKind kind = strands::StrandKind::kThread;  // or kImplicit, kTask
  ThreadId thread;                                          // kThread
  bool of_runtime = false;                                  // a thread that the runtime made
  uint32_t parent = 0;                                      // kImplicit: the lane that begins the teams
  uint64_t member = 0;                                      // kImplicit: the number in the team
  uint64_t team = 0;                                        // of the first strand
  uint64_t first_event = 0;                                 // kImplicit: that begins its first team; kTask: creates it
  uint64_t strands = 0;                                     // how many began
};

// Numbers of lanes, ascending.
struct LaneSet {
  std::vector<uint32_t> lanes;
  void add(uint32_t lane);
  void join(const LaneSet& other);
};

// What a step means for the lanes.
struct StrandStep {
  uint32_t lane = 0;                        // whose it is, from 1; 0: a thread of the runtime begins or ends
  LaneSet from;                             // who gave what is got
  bool begins = false, ends = false;        // a strand; of a lane's that run beside each other, the first and the last
  uint64_t team = 0, member = 0, task = 0;  // of a strand that begins
  uint64_t place = 0;                       // the event whose place is that of the step
  bool is_at = true;                        // there is one
};

}  // namespace cdr::sync

#endif
