// SPDX-License-Identifier: GPL-2.0-or-later
// The barriers of a run: those of the library, and those that the program makes of a mutex and a condition: everybody
// counts himself under the mutex, the last one wakes the others, who wait.
//
//     lock(m);
//     if (++come == all) { come = 0; ++round; broadcast(c); }
//     else { r = round; while (r == round) wait(c, m); }
//     unlock(m);
//
// What shows that a condition is one, of all that was done in the run with it and its mutex:
//  * Threads come one by one: *visits* of the mutex, from a lock to its unlock, waits included. Some wait, then comes
//    one that does not and signals; and so on. As many come each time, at least two, all different threads, and each
//    that waits does so until after that signal.
//  * All of a round come through the same code: the function in which they lock and then wait, or signal, is the same,
//    and so is the line from which it locks. No other visit of the mutex comes through that code.
//  * All store to one place before they wait or signal: there they are counted.
// A queue is none: who puts and who takes are different code, or there are visits that neither wait nor signal, or who
// takes stores nothing before it waits. Nor is a gate, nor turns that threads take: there who has waited signals.
#ifndef CDRGRIND_ANALYSIS_SYNC_BARRIERS_H
#define CDRGRIND_ANALYSIS_SYNC_BARRIERS_H

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "cdrgrind/analysis/sync/history.h"
#include "cdrgrind/analysis/sync/rerun.h"

namespace cdr::sync {

struct BarrierRound {
  uint64_t begin = 0, end = 0;  // events: the first one comes, the last one does
  ThreadId last;
  uint32_t threads = 0;
  uint64_t entered = 0;  // by the last one: event of the lock, or of the library's operation
};

struct BarrierUse {
  SyncKey barrier;                   // or the condition
  SyncKey mutex;                     // no address: the library's barrier
  std::vector<BarrierRound> rounds;  // that ended
  bool made() const { return mutex.object != 0; }
};

// Between two events of a thread, both outside.
struct EventSpan {
  ThreadId thread;
  uint64_t begin = 0, end = 0;
};

// What is asked about code and data.
class BarrierFacts {
 public:
  // Of a visit, by the events of its lock and of what it does then: a number of the function in which it does both,
  // and of the line there from which it locks.
  virtual uint32_t code(uint64_t lock, uint64_t then) = 0;
  // Whether there is a byte to which something is stored in each of the spans.
  virtual bool has_common_store(const std::vector<EventSpan>& spans) = 0;

 protected:
  ~BarrierFacts() = default;
};

// The library's first, then the others; each by address. The history learns who woke whom there: where a signal is
// under way for long, a wait that begins meanwhile seems to be woken by it (sync/machine.h).
std::vector<BarrierUse> find_barriers(History& history, BarrierFacts& facts);

}  // namespace cdr::sync

#endif
