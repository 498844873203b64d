// SPDX-License-Identifier: GPL-2.0-or-later
// A strand of a parallel runtime: what the program may run at the same time as others, whichever thread runs it.
#ifndef CDRGRIND_ANALYSIS_STRANDS_STRAND_H
#define CDRGRIND_ANALYSIS_STRANDS_STRAND_H

#include <cstdint>

#include "cdrgrind/base/range.h"

namespace cdr::strands {

enum class StrandKind : uint8_t { kThread, kImplicit, kPart, kTask };

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
};

}  // namespace cdr::strands

#endif
