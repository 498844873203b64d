// SPDX-License-Identifier: GPL-2.0-or-later
// What synchronisation objects pass on from thread to thread, each by itself.
#ifndef CDRGRIND_ANALYSIS_RACES_SYNC_OBJECTS_H
#define CDRGRIND_ANALYSIS_RACES_SYNC_OBJECTS_H

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>

#include "cdrgrind/analysis/races/segments.h"

namespace cdr::analysis {

// A spin lock is one, too.
struct Mutex {
  Knowledge given;       // by the last unlock
  uint64_t version = 0;  // counts the unlocks
};

struct ReadWriteLock {
  Knowledge written;  // the last write lock's release
  Knowledge read;     // all read locks' releases since
};

// A signal wakes one waiter that began to wait before the signal was left, a broadcast all of them. Signals that
// find no waiter are gone.
class Condition {
 public:
  // A number that tells when the wait began.
  uint64_t begin_wait();
  // What the waiter gets: from the earliest signal that it may have got, and that no other has got. None if there
  // is no such signal.
  std::optional<Knowledge> end_wait(uint64_t ticket);
  void give_up(uint64_t ticket);

  uint64_t begin_signal(const Knowledge& what, bool all);
  void end_signal(uint64_t ticket);

 private:
  struct Signal {
    uint64_t ticket = 0;
    uint64_t left = 0;  // 0: not yet
    bool all = false;
    Knowledge what;
  };
  void forget_dead();

  uint64_t clock_ = 0;
  std::map<uint64_t, bool> waiting_;  // by ticket
  std::list<Signal> signals_;         // in order of their begin
};

// The k-th successful wait takes the (k - initial)-th token posted; initial ones carry nothing.
class Semaphore {
 public:
  void init(uint64_t initial) {
    *this = {};
    initial_ = initial;
  }
  uint64_t post(const Knowledge& what);  // a number for take_back()
  void take_back(uint64_t token);
  std::optional<Knowledge> wait();

 private:
  uint64_t initial_ = 0;
  uint64_t posted_ = 0;
  std::deque<std::pair<uint64_t, Knowledge>> tokens_;
};

// Any `size` arrivals make a phase: whoever is in it gets what all of them gave.
class Barrier {
 public:
  void init(uint64_t size) {
    *this = {};
    size_ = size;
  }
  uint64_t arrive(const Knowledge& what);  // the phase
  Knowledge leave(uint64_t phase);

 private:
  struct Phase {
    Knowledge what;
    uint64_t left = 0;
  };
  uint64_t size_ = 0;  // 0: not known; then there is one endless phase
  uint64_t arrived_ = 0;
  std::map<uint64_t, Phase> phases_;
};

}  // namespace cdr::analysis

#endif
