// SPDX-License-Identifier: GPL-2.0-or-later
// A run carried out again with a processor for each thread: how long threads would wait for each other then. Valgrind
// runs one thread at a time, for long turns, so in the recorded run a lock is seldom asked for while another thread has
// it, and who gets it next is who has the next turn.
//
// All instructions take equally long. Each thread does what it did, in its order. A lock goes to whoever asks first,
// readers of a read-write lock together; everything else that a thread gets comes from whom it came in the run.
//
//     recorded:  1 does 100, locks, 10, unlocks, ends; then 2 does 105, locks, 10, unlocks, ends
//     again:     1 has the lock from 100 to 110, 2 asks for it at 105 and waits 5
#ifndef CDRGRIND_ANALYSIS_SYNC_RERUN_H
#define CDRGRIND_ANALYSIS_SYNC_RERUN_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/sync/history.h"

namespace cdr::sync {

struct Rerun {
  // False: it came to a stand, as locks can that are asked for in another order than they were. Then what is said here
  // is only the beginning.
  bool ended = true;
  uint64_t length = 0;           // until the last thread has ended
  std::vector<uint64_t> asked;   // by section: how long its thread waited for the lock
  std::vector<uint32_t> behind;  // by section: of whoever had it when it was asked for; kNone: nobody
  std::vector<uint64_t> idle;    // by getting: how long its thread had to wait; 0 for starts of threads
};

Rerun carry_out(const History& history);

}  // namespace cdr::sync

#endif
