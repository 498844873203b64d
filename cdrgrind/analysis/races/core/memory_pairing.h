// SPDX-License-Identifier: GPL-2.0-or-later
// The pairs of pairing.h for very many strands: looked for by memory, not strand by strand. Accesses that are alike
// (one stream, one progression) are one *group*, whoever made them; only groups that overlap are compared, and of two
// groups, or of one with itself, it is counted how many members are concurrent, not listed.
//
// Members are looked at in the order in which their segments began, so what is before a member began before it:
//
//     concurrent with x = members that began before x − those of them that x's clock knows
//
// A clock is a tree whose parts are shared with other clocks (clock_tree.h); what a part knows of a group is counted
// once. So a group of n members costs some n steps and not n², also where all of them race with each other.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_MEMORY_PAIRING_H
#define CDRGRIND_ANALYSIS_RACES_CORE_MEMORY_PAIRING_H

#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/core/collected.h"
#include "cdrgrind/analysis/races/core/pairing.h"

namespace cdr::races {

// Each two streams once, the lower one first. A step of the part is an entry that may race.
std::vector<StreamPair> racing_pairs_by_memory(const Collected& c, Order order, analysis::WatchedPart& part);

}  // namespace cdr::races

#endif
