// SPDX-License-Identifier: GPL-2.0-or-later
// Happens-before edges of synchronisation operations: what gives knowledge does so at its enter event, what gets
// knowledge at its leave event, and only if it succeeded. docs/races.md has the table.
//
// A thread switch may fall between an event and the operation itself. So an unlock gives before it is done, and
// a failed one takes that back; a condition's signal may wake whoever began to wait before it was left.
#ifndef CDRGRIND_ANALYSIS_RACES_SYNC_EDGES_H
#define CDRGRIND_ANALYSIS_RACES_SYNC_EDGES_H

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/segments.h"
#include "cdrgrind/analysis/races/sync_objects.h"
#include "cdrgrind/base/event.h"

namespace cdr::analysis {

struct HeldLock {
  uint64_t object = 0;
  bool shared = false;  // a read lock
  uint32_t times = 1;   // a recursive mutex
};

class SyncEdges {
 public:
  // Operations on objects for which `ignored` is true order nothing.
  SyncEdges(Segments& segments, std::function<bool(uint64_t)> ignored)
      : segments_(segments), ignored_(std::move(ignored)), threads_(1) {}

  // SyncEnter, SyncLeave, ThreadCreate, ThreadStart, ThreadEnd; others change nothing.
  void event(const Event& e);

  // Whether the thread is inside an operation, but not in a routine of the program that the operation calls.
  bool in_operation(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].open.empty() &&
           threads_[t.value].open.back().op != SyncOp::kOnceRun;
  }
  const std::vector<HeldLock>& held(ThreadId t) { return state(t).held; }

  // A C++ local static variable's guard is read without a call when the variable is there.
  void guard_read(ThreadId t, uint64_t guard);

 private:
  struct Open {
    SyncOp op = SyncOp::kNone;
    bool ignored = false;
    bool gave_back = false;  // an unlock that changed `before`
    uint64_t object = 0;
    uint64_t version = 0;  // unlock: of the mutex, by this
    uint64_t ticket = 0;   // condition wait: when it began; barrier: phase; post: number of the token
    Knowledge before;      // unlock: what the lock gave before
  };
  struct State {
    std::vector<Open> open;
    std::vector<HeldLock> held;
    bool ended = false;
    Knowledge at_end;
  };

  State& state(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  void enter(const Event& e);
  void enter_known(ThreadId t, const Sync& s, Open& open);
  void leave(const Event& e);
  void leave_succeeded(ThreadId t, const Sync& s, const Open& open);
  void leave_failed(ThreadId t, const Sync& s, const Open& open);
  void unlock(ThreadId t, uint64_t object, Open& open);
  void unlock_failed(uint64_t object, const Open& open);
  void lock(ThreadId t, uint64_t object);
  void rw_unlock(ThreadId t, uint64_t object, Open& open);
  void wait_over(ThreadId t, const Sync& s, const Open& open);
  void wait_failed(ThreadId t, const Sync& s, const Open& open);
  void hold(ThreadId t, uint64_t object, bool shared);
  bool let_go(ThreadId t, uint64_t object);  // true if it was a read lock
  void get(ThreadId t, const Knowledge& what) { segments_.get(t, what, EdgeKind::kSync); }

  Segments& segments_;
  std::function<bool(uint64_t)> ignored_;
  std::vector<State> threads_;  // by id
  std::unordered_map<uint32_t, Knowledge> for_child_;
  std::unordered_map<uint64_t, Mutex> mutexes_;
  std::unordered_map<uint64_t, ReadWriteLock> rwlocks_;
  std::unordered_map<uint64_t, Condition> conditions_;
  std::unordered_map<uint64_t, Semaphore> semaphores_;
  std::unordered_map<uint64_t, Barrier> barriers_;
  std::unordered_map<uint64_t, Knowledge> routines_;   // once, guards
  std::unordered_map<uint64_t, Knowledge> announced_;  // happens-before
};

}  // namespace cdr::analysis

#endif
