// SPDX-License-Identifier: GPL-2.0-or-later
// The loops of a graph, nested: its strongly connected components, and within each, without the edges to its header,
// the same again. Where a component is entered at one node only, that is its header, and what is found are the natural
// loops, those with one header as one loop. One with several entries is *irregular*, its header is its lowest node.
// A node that only leads to itself is none: such are instructions that repeat themselves.
#ifndef CDRGRIND_ANALYSIS_REGIONS_LOOP_FOREST_H
#define CDRGRIND_ANALYSIS_REGIONS_LOOP_FOREST_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/slice/control_dependence.h"

namespace cdr::regions {

struct GraphLoop {
  static constexpr uint32_t kNone = ~uint32_t{0};
  uint32_t header = 0;
  uint32_t parent = kNone;  // index of the loop around it, which comes before
  bool irregular = false;
  std::vector<uint32_t> nodes;  // ascending, with those of loops within
};

// `entry`: the node at which the graph is entered from outside. Node 0, the exit, is in no loop.
std::vector<GraphLoop> find_loops(const slice::FlowGraph& graph, uint32_t entry);

}  // namespace cdr::regions

#endif
