// SPDX-License-Identifier: GPL-2.0-or-later
// How often two threads may disturb each other in a line of memory, by order alone: not by what the schedule made of
// it. All accesses of a segment are alike; two segments of two threads are concurrent, or not.
//
//     thread 2, segment 1:  stores bytes 0 to 7, 100 times         weight of the pair: min(100, 60) = 60,
//     thread 3, segment 1:  stores bytes 8 to 15, 60 times         false sharing, for no byte is touched by both
//
// An access takes part in *true* sharing with another thread if that thread has one in a concurrent segment, with a
// byte in common, and one of the two is a store. It takes part in *false* sharing if it is a store of bytes that the
// other thread does not touch in concurrent segments, and that thread touches the line there; or if that thread stores
// bytes there that this one does not touch. What both touch no layout can part.
//
// Bytes have lives (a block of the heap, a stack): bytes of different lives are not common.
#ifndef CDRGRIND_ANALYSIS_SHARING_MAY_SHARE_H
#define CDRGRIND_ANALYSIS_SHARING_MAY_SHARE_H

#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/sharing/line.h"

namespace cdr::sharing {

// Accesses of one segment that are alike.
struct MayPiece {
  races::SegmentNumber segment = 0;
  uint32_t life = 0;
  uint32_t group = 0;  // of the memory
  uint16_t offset = 0, width = 0;
  bool store = false;
  bool in_true = false, in_false = false;  // found by may_share()
  uint64_t count = 0;
};

// What one thread does to a line, by segments.
struct MayThread {
  explicit MayThread(ThreadId t) : thread(t) {}
  ThreadId thread;
  std::vector<MayPiece> pieces;  // segments ascend

  void add(const MayPiece& p);

 private:
  size_t present_ = 0;  // where those of the last segment begin
};

// Of two threads: the smaller of their numbers of accesses.
struct MayPair {
  ThreadId first, second;
  uint64_t false_sharing = 0;
  uint64_t true_sharing = 0;
  std::map<uint32_t, uint64_t> by_group;             // true sharing
  races::SegmentNumber first_in = 0, second_in = 0;  // concurrent ones in which they do
};

// All pairs of threads that may share something in the line; marks the pieces. O(pieces of two threads · log) a pair.
std::vector<MayPair> may_share(const races::Segments& segments, std::vector<MayThread>& line);

}  // namespace cdr::sharing

#endif
