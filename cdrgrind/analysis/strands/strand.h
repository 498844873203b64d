// SPDX-License-Identifier: GPL-2.0-or-later
// A strand of a parallel runtime: what the program may run at the same time as others, whichever thread runs it.
#ifndef CDRGRIND_ANALYSIS_STRANDS_STRAND_H
#define CDRGRIND_ANALYSIS_STRANDS_STRAND_H

#include <cstdint>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/range.h"

namespace cdr::strands {

// A part: a chunk, a section, the body of a single. An iteration lies on its chunk, on the taskloop's task, or, with a
// static schedule, on the implicit task; the first one of a chunk or a task is that itself.
enum class StrandKind : uint8_t { kThread, kImplicit, kPart, kTask, kIteration };

struct Strand {
  StrandKind kind = StrandKind::kThread;  // no strand of a runtime
  uint64_t team = 0;                      // its number; 0: outside of any
  uint64_t member = 0;                    // of an implicit task and its parts: the thread's number in the team
  uint64_t task = 0;                      // its number, of an explicit one
  uint64_t frame = 0;                     // below this address are its frames; of a part those of its implicit task
  uint64_t team_begin = 0;                // event
  AddrRange data;                         // of an explicit task
  bool undeferred = false;                // its creator waits for it
  bool own_frames = false;                // others that may run beside it have theirs at the same place
  uint64_t iteration = 0;                 // of an iteration: its number in what it lies on, from 1 on
  bool of_part = false;                   // of an iteration: it lies on a part
  WorkKind work = WorkKind::kNone;        // of a part, and of an iteration that lies on one: of what construct
  uint32_t only_chunk = 0;                // the same, of a loop that had one chunk: how large the program lets it be
};

// Goes on in the strand that lies below it on its thread with what is private to that.
constexpr bool lies_on_another(StrandKind k) { return k == StrandKind::kPart || k == StrandKind::kIteration; }

}  // namespace cdr::strands

#endif
