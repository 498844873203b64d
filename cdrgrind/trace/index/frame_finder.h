// SPDX-License-Identifier: GPL-2.0-or-later
// Finds the event that opened a frame, and the one that gave it its name, from any place of a path backwards: by
// depth and lowest depth of every rule, without unfolding what lies between.
//
// Depth is counted from the start of the epoch: the frame that ran there has depth 0. Pops of more than 64 frames and
// changes of stack count nothing here: whoever asks looks at one piece between them at a time.
#ifndef CDRGRIND_TRACE_INDEX_FRAME_FINDER_H
#define CDRGRIND_TRACE_INDEX_FRAME_FINDER_H

#include <cstdint>
#include <vector>

#include "cdrgrind/trace/index/path_index.h"

namespace cdr::trace {

class FrameFinder {
 public:
  // O(symbols).
  explicit FrameFinder(const PathIndex& paths);

  // Of the frame that runs at the place.
  int64_t depth(const PathPosition& place) const;

  struct Found {
    PathPosition place;  // before the event
    bool names = false;  // it gives the frame a name; else it opened the frame
  };
  // The last event before the place that opened the frame of this depth or, with `names`, gave it a name after that.
  // False if there is none in the epoch.
  bool find(const PathPosition& place, int64_t depth, bool names, Found& to) const;

 private:
  static constexpr uint32_t kBlock = 64;  // symbols whose lowest key is kept
  struct Search;

  StackEffect effect(uint32_t symbol) const;
  // Twice the lowest depth of a symbol with its exponent, less 1 if the frame there gets a name.
  static int64_t key(const StackEffect& e) { return 2 * e.lowest - e.named; }
  // The last symbol of [begin, end) whose key is less than `limit`, or `end`.
  uint32_t last_below(uint32_t begin, uint32_t end, int64_t limit) const;
  bool in_terminal(uint32_t terminal, uint32_t events, const Search& s, int64_t depth, Found& to) const;
  bool last_copy(const StackEffect& e, int64_t start, uint32_t copies, const Search& s, uint32_t& copy) const;
  bool down(uint32_t symbol, uint32_t copies, int64_t start, const Search& s, Found& to) const;

  const PathIndex& paths_;
  std::vector<StackEffect> rules_;
  std::vector<int64_t> before_, keys_;  // by symbol: depth before it in its body; key there
  std::vector<int64_t> lowest_keys_;    // of kBlock symbols
};

}  // namespace cdr::trace

#endif
