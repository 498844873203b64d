// SPDX-License-Identifier: GPL-2.0-or-later
// A loop nest over a sequence of symbols: which parts of the sequence are loops, which parts of their bodies are.
// Invariant: loops of one body (or of the top level) lie side by side in the array, by position, and do not meet;
// each has at least two iterations, and lies within the first iteration of the loop around it. So a nest is at
// most log2(length) deep, and prints in at most as many symbols as the sequence has.
#ifndef CDRGRIND_ANALYSIS_LOOPS_NEST_H
#define CDRGRIND_ANALYSIS_LOOPS_NEST_H

#include <cstdint>
#include <span>

#include "cdrgrind/analysis/common/big_array.h"

namespace cdr::loops {

struct Loop {
  uint32_t begin = 0;   // of the first iteration, in the whole sequence
  uint32_t period = 0;  // length of the body, in symbols of the sequence
  uint32_t count = 0;   // iterations
  uint32_t first_child = 0;
  uint32_t children = 0;

  uint64_t span() const { return uint64_t{period} * count; }
  uint32_t end() const { return begin + period * count; }
};

struct LoopNest {
  uint32_t length = 0;  // of the sequence
  uint32_t top_count = 0;
  analysis::BigArray<Loop> loops;  // the first top_count are the top level's
  bool complete = true;            // not if it was stopped: loops are missing then

  std::span<const Loop> top() const { return {loops.data(), top_count}; }
  std::span<const Loop> children(const Loop& loop) const { return {loops.data() + loop.first_child, loop.children}; }

  // Symbols at the top level, a loop counting as one.
  uint64_t compressed_length() const;
  // The top-level loop with most symbols, the leftmost of several; null without loops.
  const Loop* major() const;
  // Symbols inside top-level loops.
  uint64_t covered() const;
};

}  // namespace cdr::loops

#endif
