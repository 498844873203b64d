// SPDX-License-Identifier: GPL-2.0-or-later
// Which locks of FILEs threads hold. What is done under one lock is never done at the same time, and that is all: who
// gets a FILE after whom in two calls of stdio is chance, and orders nothing. flockfile() and its like are operations;
// that calls of stdio lock for themselves is seen by what they do to the lock: an atomic instruction, and behind it the
// owner is written, who is written again, as nobody, before the lock is given back. What they do elsewhere in between
// does not count: not all of it is followed.
//
// Not told apart from FILEs' are the few locks of the C library that are made alike.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_FILE_LOCKS_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_FILE_LOCKS_H

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/operations.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::races {

class FileLocks {
 public:
  static constexpr uint64_t kSize = 16;  // of a lock

  struct Store {
    uint64_t addr = 0, width = 0;
    bool atomic = false;  // an atomic instruction's
  };
  // By code of the C library, outside of operations. f(lock) if it is seen to lock that. Whether the thread holds other
  // locks now.
  template <class F>
  bool stored(ThreadId t, const Store& a, F f) {
    State& s = state(t);
    if (a.atomic) return lock_word(s, a.addr);
    if (a.width == kWord) {
      if (Last* const last = s.last.find(a.addr)) *last = Last::kNothing;
      return false;
    }
    if (a.width != kSize - kOwner) return false;
    const uint64_t lock = a.addr - kOwner;
    Last* const last = s.last.find(lock);
    if (!last) return false;
    const Last before = std::exchange(*last, Last::kNothing);
    if (std::erase(s.by_calls, lock) != 0) {
      *last = Last::kGivenBack;
      return true;
    }
    if (before != Last::kTried) return false;
    s.by_calls.push_back(lock);
    f(lock);
    return true;
  }
  // Operations. Whether the thread holds other locks now.
  bool enter(ThreadId t, const Sync& op) {
    const uint64_t lock = sync::file_lock(op);
    if (!lock || !sync::is_unlock(op.op)) return false;
    State& s = state(t);
    // Of one that is cancelled within a call the clean-up gives back what the call has locked.
    if (const auto held = std::find(s.by_operations.rbegin(), s.by_operations.rend(), lock);
        held != s.by_operations.rend())
      s.by_operations.erase(held.base() - 1);
    else
      std::erase(s.by_calls, lock);
    return true;
  }
  bool leave(ThreadId t, const Sync& op) {
    const uint64_t lock = sync::file_lock(op);
    if (!lock || sync::is_unlock(op.op) || sync::failed(op)) return false;
    state(t).by_operations.push_back(lock);
    return true;
  }
  // f(lock): one that the thread holds may come several times.
  template <class F>
  void for_each_held(ThreadId t, F f) const {
    if (t.value >= threads_.size()) return;
    for (const uint64_t lock : threads_[t.value].by_calls) f(lock);
    for (const uint64_t lock : threads_[t.value].by_operations) f(lock);
  }

 private:
  static constexpr uint64_t kWord = 4;   // bytes of it, that are tried
  static constexpr uint64_t kOwner = 8;  // where that stands in a lock
  // What was done to a lock last.
  enum class Last : uint8_t {
    kNothing,    // that matters
    kTried,      // an atomic instruction
    kGivenBack,  // its owner is nobody already
  };
  struct State {
    std::vector<uint64_t> by_calls, by_operations;
    FlatMap<uint64_t, Last> last;  // by lock
  };
  // Who has a lock, and gives it back without naming nobody its owner: it was one of another make, and held all the
  // same.
  static bool lock_word(State& s, uint64_t lock) {
    Last& last = s.last[lock];
    const bool held = std::erase(s.by_calls, lock) != 0;
    last = last == Last::kGivenBack || held ? Last::kNothing : Last::kTried;
    return held;
  }
  State& state(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }

  std::vector<State> threads_;  // by id
};

}  // namespace cdr::races

#endif
