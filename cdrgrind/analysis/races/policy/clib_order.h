// SPDX-License-Identifier: GPL-2.0-or-later
// What mutexes of the C library order. Mostly nothing: who gets one after whom is chance. But initialisers of a library
// that dlopen() has loaded come before whoever loads it later, and what the program has threads of libc do (timers,
// asynchronous input and output) passes through mutexes alone: through those that such threads get for themselves.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_CLIB_ORDER_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_CLIB_ORDER_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/sync/operations.h"
#include "cdrgrind/base/event.h"

namespace cdr::races {

class ClibOrder {
 public:
  explicit ClibOrder(Segments& segments) : segments_(segments) {}

  // That the operation locks or unlocks; 0: none.
  static uint64_t mutex(const Sync& s) {
    if (sync::is_condition_wait(s.op)) return s.object2;
    const bool is_use = sync::is_unlock(s.op) || sync::is_acquire(s.op);
    return is_use && sync::kind_of(s.op) == sync::SyncKind::kMutex ? s.object : 0;
  }

  void thread_created() { has_threads_ = true; }
  void clib_creates_thread() { has_own_threads_ = true; }
  void module_mapped(ThreadId by) { state(by).loads |= has_threads_; }

  // Of mutexes of the C library, outside of other operations.
  void enter(ThreadId t, const Sync& s) {
    const bool waits = sync::is_condition_wait(s.op);
    if (!waits && !sync::is_unlock(s.op)) return;
    State& at = state(t);
    if (at.loads || has_own_threads_) {
      Given& given = given_[mutex(s)];
      const Knowledge now = segments_.give(t);
      if (at.loads) given.loaded.join(now);
      if (has_own_threads_) given.done.join(now);
    }
    if (waits || at.locks == 0 || --at.locks > 0) return;
    at.loads = false;
  }
  // `for_program`: called by code of the program.
  void leave(ThreadId t, const Sync& s, bool for_program) {
    if (sync::is_unlock(s.op) || (sync::failed(s) && !sync::has_mutex_again(s))) return;
    if (!sync::is_condition_wait(s.op)) ++state(t).locks;
    if (!has_own_threads_ && given_.empty()) return;
    Given& given = given_[mutex(s)];
    given.is_for_own |= has_own_threads_ && !for_program;
    segments_.get(t, given.loaded, EdgeKind::kSync);
    if (given.is_for_own) segments_.get(t, given.done, EdgeKind::kSync);
  }

 private:
  struct State {
    uint32_t locks = 0;
    bool loads = false;  // it has mapped a library since it has had any
  };
  struct Given {
    Knowledge loaded, done;   // by who has loaded a library; by all since there have been threads of libc's
    bool is_for_own = false;  // such a thread has got it
  };
  State& state(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }

  Segments& segments_;
  bool has_threads_ = false;
  bool has_own_threads_ = false;  // at any time
  std::vector<State> threads_;
  std::unordered_map<uint64_t, Given> given_;  // by mutex
};

}  // namespace cdr::races

#endif
