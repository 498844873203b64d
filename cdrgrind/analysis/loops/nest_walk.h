// SPDX-License-Identifier: GPL-2.0-or-later
// Goes through a nest from left to right, each body once: to the visitor's symbol(position), open(loop) and
// close(loop). Stacks up as many loops as are open, 31 at most.
#ifndef CDRGRIND_ANALYSIS_LOOPS_NEST_WALK_H
#define CDRGRIND_ANALYSIS_LOOPS_NEST_WALK_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/loops/nest.h"

namespace cdr::loops {

template <class Visitor>
void walk(const LoopNest& nest, Visitor& visitor) {
  struct Level {
    const Loop* around;  // null at the top
    std::span<const Loop> loops;
    uint32_t at, end;
  };
  std::vector<Level> open = {{nullptr, nest.top(), 0, nest.length}};
  while (!open.empty()) {
    Level& level = open.back();
    const uint32_t stop = level.loops.empty() ? level.end : level.loops.front().begin;
    while (level.at < stop) visitor.symbol(level.at++);
    if (level.loops.empty()) {
      if (level.around) visitor.close(*level.around);
      open.pop_back();
      continue;
    }
    const Loop& loop = level.loops.front();
    level.loops = level.loops.subspan(1);
    level.at = loop.end();
    visitor.open(loop);
    open.push_back({&loop, nest.children(loop), loop.begin, loop.begin + loop.period});
  }
}

}  // namespace cdr::loops

#endif
