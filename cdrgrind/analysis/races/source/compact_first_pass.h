// SPDX-License-Identifier: GPL-2.0-or-later
// The first look at a compact trace (first_pass.h), without unfolding it: what blocks touched is told by the grammars
// of their addresses, what other events did by these. Its answer is that of first_pass_of().
//
// Where the grammars do not tell enough, some blocks are read execution by execution: where locals of one function lie
// at many places and another thread comes near them, or memory changes its generation while atomic instructions touch
// it. Throws TraceError where the trace is damaged.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_COMPACT_FIRST_PASS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_COMPACT_FIRST_PASS_H

#include <vector>

#include "cdrgrind/analysis/races/source/epoch_footprint.h"
#include "cdrgrind/analysis/races/source/first_pass.h"
#include "cdrgrind/trace/index/seeker.h"

namespace cdr::races {

struct CompactFirstPass {
  FirstPass first_pass;
  std::vector<uint64_t> executions;          // by block: of all threads
  std::vector<AccessHull> hulls;             // of all epochs
  std::vector<std::vector<FrameOf>> frames;  // by epoch; sorted by thread and block
};

CompactFirstPass compact_first_pass_of(trace::Seeker& seeker, SpinLoops& spins, uint64_t end,
                                       const analysis::Watch& watch);

}  // namespace cdr::races

#endif
