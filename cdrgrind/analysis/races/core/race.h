// SPDX-License-Identifier: GPL-2.0-or-later
// A data race: two streams of accesses with an example, and what is known of it.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_RACE_H
#define CDRGRIND_ANALYSIS_RACES_CORE_RACE_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/events/frame_places.h"
#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/core/lock_sets.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/slice/race_ends.h"
#include "cdrgrind/analysis/strands/strand.h"
#include "cdrgrind/analysis/sync/operations.h"
#include "cdrgrind/analysis/walk/progression.h"

namespace cdr::races {

using analysis::Progression;

// One access of the example.
struct RaceAccess {
  CodeAddr ip;
  CodeAddr from;  // of library code: the program's call
  bool store = false;
  bool atomic = false;
  bool presumed = false;             // atomic, for all that is known of it
  bool free = false;                 // the block was freed
  bool leaves = false;               // the frame was left
  SyncOp operation = SyncOp::kNone;  // on the object
  bool spin = false;
  ThreadId thread;
  uint64_t addr = 0, width = 0;
  AccessPosition at;
  std::vector<CodeAddr> stack;  // innermost first; call instructions but for the first
  std::vector<sync::HeldLock> locks;
  strands::Strand strand;
  std::vector<LockKey> exclusive;             // that the strand held, of a parallel runtime
  std::optional<analysis::FramePlace> frame;  // in which the address lies, if in one that was open
  // Of strands: the call that created the task; what the region's function has got from the compiler (0: not told).
  CodeAddr created;
  std::vector<CodeAddr> creation;  // the calls that were open there
  CodeAddr stood;                  // where the function stood then in whose frame the address lies; none: not known
  uint64_t region_data = 0;
  uint64_t team_data = 0, team_function = 0;  // of a task: what its region's function has got, and where that begins
};

// Where it lies in the frames of the stack's owner.
inline std::optional<analysis::FramePlace> frame_place(const RaceAccess& a, ThreadId owner,
                                                       const std::vector<analysis::CallFrame>& frames) {
  return analysis::frame_place(frames, a.addr, a.thread == owner ? a.ip : CodeAddr());
}

struct RaceMemory {
  MemoryKind kind = MemoryKind::kUnknown;
  AddrRange range;                  // of the block or stack in the example
  ThreadId thread;                  // that allocated the block, that the stack belongs to
  uint64_t pthread = 0;             // of a stack
  std::vector<CodeAddr> allocated;  // call stack of the allocation
};

struct Race {
  RaceAccess first, second;  // in the order observed
  RaceMemory memory;
  uint64_t instances = 0;                              // saturating
  Progression addresses;                               // that raced; times is meaningless
  std::vector<std::pair<StreamId, StreamId>> streams;  // that raced with each other
  std::vector<slice::RacePair> judged;  // instances, by time: the earliest, and some spread over the rest
  bool schedulable = false;
  bool mixed = false;  // one of them is atomic
  bool adhoc = false;  // the flag of a spin loop
  bool after_free = false;
  bool after_return = false;  // a task may use a frame that has been left
  bool ordered = false;       // the one came after the free, in order: no race, and a bug
  bool lock_order = false;    // of strands: in this run only the order of locks kept it from happening
  bool iteration = false;     // of strands: in this run only iterations of one chunk raced
  bool object = false;        // of synchronisation: destroyed, initialised or freed while it may be used
};

}  // namespace cdr::races

#endif
