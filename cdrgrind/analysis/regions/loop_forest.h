// SPDX-License-Identifier: GPL-2.0-or-later
// The loops of a graph, nested: its strongly connected components, and within each, without the edges to its header,
// the same again. Where a component is entered at one node only, that is its header, and what is found are the natural
// loops, those with one header as one loop. One with several entries is *irregular*, its header is the lowest
// of those that ran, or of all if none did: compilers put code that seldom runs elsewhere, often below.
// A node that only leads to itself is none: such are instructions that repeat themselves.
//
// An interpreter may have a computed jump at the end of the code for each of its instructions, and any may lead to any.
// Nested as above, such a cycle would be as many irregular loops as it has targets. Where kShared of a component's
// nodes or more are targets of several of its computed jumps, and it is entered at several nodes or at one of those, it
// is *threaded*: all targets of its computed jumps are headers.
#ifndef CDRGRIND_ANALYSIS_REGIONS_LOOP_FOREST_H
#define CDRGRIND_ANALYSIS_REGIONS_LOOP_FOREST_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/slice/control_dependence.h"

namespace cdr::regions {

struct GraphLoop {
  static constexpr uint32_t kNone = ~uint32_t{0};
  std::vector<uint32_t> headers;  // ascending; one, if it is not threaded
  uint32_t parent = kNone;        // index of the loop around it, which comes before
  bool irregular = false;         // entered elsewhere than at its only header
  std::vector<uint32_t> nodes;    // ascending, with those of loops within
};

constexpr size_t kShared = 4;

// What the run has shown of the nodes.
struct SeenNodes {
  std::span<const uint32_t> computed;  // those whose successors are where they were seen to go
  std::vector<bool> ran;               // by node; empty: all
};

// `entry`: the node at which the graph is entered from outside. Node 0, the exit, is in no loop.
std::vector<GraphLoop> find_loops(const slice::FlowGraph& graph, uint32_t entry, const SeenNodes& seen = {});

}  // namespace cdr::regions

#endif
