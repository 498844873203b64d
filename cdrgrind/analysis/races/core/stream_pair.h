// SPDX-License-Identifier: GPL-2.0-or-later
// Two streams that race, and the example by which they are shown.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_STREAM_PAIR_H
#define CDRGRIND_ANALYSIS_RACES_CORE_STREAM_PAIR_H

#include <cstdint>

#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/walk/progression.h"

namespace cdr::races {

using analysis::Progression;

// One end of a race: an access of the stream in that segment that has the byte at `addr`.
struct RaceEnd {
  ThreadId thread;
  SegmentNumber segment = 0;
  uint64_t addr = 0, width = 0;  // the access's own
  bool operator==(const RaceEnd&) const = default;
};

// `a` is of the thread with the lower number; if found by memory the lower stream.
struct StreamPair {
  StreamId a = 0, b = 0;
  uint64_t instances = 0;  // unordered pairs of accesses; saturating
  RaceEnd of_a, of_b;      // of the earliest segments
  Progression addresses;   // of the racing accesses of the narrower side, from the lowest to the highest
  // What lies at one address of a stack is one variable now and another one later: where threads meet on a stack, each
  // pair of them has a number, from 1 on, and pairs of streams of its own.
  uint32_t meeting = 0;

  bool operator==(const StreamPair&) const = default;
};

// Of two examples of one pair of streams one is the earlier, in whatever order they are found.
bool is_earlier(const RaceEnd& a, const RaceEnd& b, const StreamPair& than, const Segments& segments);

// When the later of the two segments begins.
AccessPosition both_begun(const RaceEnd& a, const RaceEnd& b, const Segments& segments);

// Some accesses of one stream in a segment of a thread.
struct StreamAccesses {
  ThreadId thread;
  SegmentNumber segment = 0;
  StreamId stream = 0;
  Progression at;
};
// Takes down that these two meet, as they do: the addresses, and the example if it is an earlier one. `first`: nothing
// was taken down before.
void note_meeting(const StreamAccesses& a, const StreamAccesses& b, const Segments& segments, bool first,
                  StreamPair& to);

}  // namespace cdr::races

#endif
