// SPDX-License-Identifier: GPL-2.0-or-later
// What objects of synchronisation pass on from thread to thread, each by itself. A Release is what one operation passes
// on; `join` adds another to it.
#ifndef CDRGRIND_ANALYSIS_SYNC_PRIMITIVES_H
#define CDRGRIND_ANALYSIS_SYNC_PRIMITIVES_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/base/id.h"

namespace cdr::sync {

// A mutex or spin lock is one without readers. What a lock passes on is what was given back, whoever holds it.
template <class Release>
struct Lock {
  struct Holder {
    ThreadId thread;
    uint32_t times = 1;  // a recursive mutex, or a read lock
    bool shared = false;
  };
  Release written;       // by the last write lock
  Release read;          // by all read locks since
  uint64_t version = 0;  // counts the releases
  std::vector<Holder> holders;

  Holder* holder(ThreadId t) {
    const auto h = std::find_if(holders.begin(), holders.end(), [t](const Holder& one) { return one.thread == t; });
    return h == holders.end() ? nullptr : &*h;
  }
  // True if the thread has it anew. Who has it alone has taken it from all who did not give it back, as the dead.
  bool hold(ThreadId t, bool shared) {
    if (Holder* const h = holder(t)) return ++h->times, false;
    if (!shared) holders.clear();
    holders.push_back({t, 1, shared});
    return true;
  }
  // True if the thread no longer has it.
  bool let_go(ThreadId t) {
    Holder* const h = holder(t);
    if (!h || --h->times > 0) return false;
    holders.erase(holders.begin() + (h - holders.data()));
    return true;
  }
};

// A signal wakes one waiter that began to wait before the signal was left, a broadcast all of them. Signals that
// find no waiter are gone.
template <class Release>
class Condition {
 public:
  // A number that tells when the wait began.
  uint64_t begin_wait() {
    waiting_[++clock_] = true;
    return clock_;
  }
  // What the waiter gets: from the earliest signal that it may have got, and that no other has got. None if there
  // is no such signal.
  std::optional<Release> end_wait(uint64_t ticket) {
    std::optional<Release> got;
    const auto s = std::find_if(signals_.begin(), signals_.end(),
                                [&](const Signal& one) { return one.left == 0 || one.left > ticket; });
    if (s != signals_.end()) {
      got = s->what;
      if (!s->all) signals_.erase(s);
    }
    give_up(ticket);
    return got;
  }
  void give_up(uint64_t ticket) {
    waiting_.erase(ticket);
    forget_dead();
  }

  uint64_t begin_signal(Release what, bool all) {
    signals_.push_back({++clock_, 0, all, std::move(what)});
    return clock_;
  }
  void end_signal(uint64_t ticket) {
    ++clock_;
    for (Signal& s : signals_)
      if (s.ticket == ticket) s.left = clock_;
    forget_dead();
  }

 private:
  struct Signal {
    uint64_t ticket = 0;
    uint64_t left = 0;  // 0: not yet
    bool all = false;
    Release what;
  };
  // Signals that no present or future waiter can get.
  void forget_dead() {
    const uint64_t oldest = waiting_.empty() ? clock_ + 1 : waiting_.begin()->first;
    signals_.remove_if([&](const Signal& s) { return s.left != 0 && s.left < oldest; });
  }

  uint64_t clock_ = 0;
  std::map<uint64_t, bool> waiting_;  // by ticket
  std::list<Signal> signals_;         // in order of their begin
};

// The k-th successful wait takes the (k - initial)-th token posted; initial ones carry nothing.
template <class Release>
class Semaphore {
 public:
  explicit Semaphore(uint64_t initial = 0) : initial_(initial) {}

  bool has_token() const { return initial_ > 0 || !tokens_.empty(); }
  // A number for take_back().
  uint64_t post(Release what) {
    tokens_.emplace_back(++posted_, std::move(what));
    return posted_;
  }
  void take_back(uint64_t token) {
    std::erase_if(tokens_, [&](const auto& t) { return t.first == token; });
  }
  std::optional<Release> wait() {
    if (initial_ > 0) {
      --initial_;
      return std::nullopt;
    }
    if (tokens_.empty()) return std::nullopt;
    Release got = std::move(tokens_.front().second);
    tokens_.pop_front();
    return got;
  }

 private:
  uint64_t initial_;
  uint64_t posted_ = 0;
  std::deque<std::pair<uint64_t, Release>> tokens_;
};

// Any `size` arrivals make a phase: whoever is in it gets what all of them gave.
template <class Release>
class Barrier {
 public:
  explicit Barrier(uint64_t size = 0) : size_(size) {}

  bool is_last_missing() const { return size_ != 0 && (arrived_ + 1) % size_ == 0; }
  // The phase.
  uint64_t arrive(const Release& what) {
    const uint64_t phase = size_ ? arrived_ / size_ : 0;
    ++arrived_;
    phases_[phase].what.join(what);
    return phase;
  }
  // A phase is forgotten when all have left it.
  Release leave(uint64_t phase) {
    Phase& p = phases_[phase];
    if (++p.left != size_) return p.what;
    Release last = std::move(p.what);
    phases_.erase(phase);
    return last;
  }

 private:
  struct Phase {
    Release what;
    uint64_t left = 0;
  };
  uint64_t size_;  // 0: not known; then there is one endless phase
  uint64_t arrived_ = 0;
  std::map<uint64_t, Phase> phases_;
};

}  // namespace cdr::sync

#endif
