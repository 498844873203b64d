// SPDX-License-Identifier: GPL-2.0-or-later
// What the threads of a run did to each other, thread by thread, as far as it takes to look at critical sections, and
// to carry the run out again without the trace (rerun.h). What a thread gets comes from the gift of another.
// Operations of parallel runtimes are none of this: docs/sync.md, parallel regions.
#ifndef CDRGRIND_ANALYSIS_SYNC_HISTORY_H
#define CDRGRIND_ANALYSIS_SYNC_HISTORY_H

#include <cstdint>
#include <limits>
#include <vector>

#include "cdrgrind/analysis/sync/operations.h"

namespace cdr::sync {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

// A lock from where it was got to where it was let go. A wait on a condition ends one, and begins the next.
struct Section {
  SyncKey lock;
  uint32_t life = 0;  // of the lock: its initialisation makes a new one of it
  ThreadId thread;
  bool shared = false;          // a reader's
  bool contended = false;       // it was not to be had when it was asked for
  uint64_t enter = 0;           // event of the operation that gets it
  uint64_t begin = 0, end = 0;  // events: it is got, it is let go; end 0: never
  uint64_t insns_before = 0;    // that the thread had executed
  uint64_t insns = 0;           // that it executed inside
  uint32_t by_wait = kNone;     // the condition's wait that got it back
  uint32_t until_wait = kNone;  // the one that gave it away
};

// A wait on a condition.
struct ConditionWait {
  SyncKey condition, mutex;
  ThreadId thread;
  uint64_t enter = 0, leave = 0;  // events
  uint32_t getting = kNone;       // what woke it
  bool failed = false;            // its time was over, or it was cancelled
};

// A signal or broadcast.
struct ConditionSignal {
  SyncKey condition;
  ThreadId thread;
  uint64_t enter = 0;
  uint32_t gift = kNone;
  // In which it is given: of the lock that the thread got last of those that it has, or that it let go right before.
  uint32_t section = kNone;
};

// What a thread passed on at an event.
struct Gift {
  ThreadId by;
  uint64_t event = 0;
};
// What a thread got other than a lock: everything from `first` to `end` of History::got.
struct Getting {
  SyncKey of;
  uint32_t first = 0, end = 0;
};

enum class ActionKind : uint8_t { kGive, kGet, kLock, kUnlock };
struct Action {
  uint64_t insns = 0;  // that the thread had executed before
  uint32_t what = 0;   // number of the gift, the getting, the section
  ActionKind kind = ActionKind::kGive;
};

// An arrival at a barrier of the library's.
struct Arrival {
  SyncKey barrier;
  uint32_t life = 0;
  ThreadId thread;
  uint64_t enter = 0;
  uint64_t threads = 0;  // that meet there; 0: not known
};

struct History {
  std::vector<std::vector<Action>> actions;  // by thread
  std::vector<Section> sections;             // by begin
  std::vector<ConditionWait> waits;          // by enter, as the next ones
  std::vector<ConditionSignal> signals;
  std::vector<Arrival> arrivals;
  std::vector<Gift> gifts;
  std::vector<Getting> gettings;
  std::vector<uint32_t> got;  // gifts
};

}  // namespace cdr::sync

#endif
