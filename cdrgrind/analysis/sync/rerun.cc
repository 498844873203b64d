// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/rerun.h"

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>

namespace cdr::sync {
namespace {

constexpr uint64_t kNotYet = std::numeric_limits<uint64_t>::max();

class RerunMaker {
 public:
  explicit RerunMaker(const History& history)
      : history_(history), threads_(history.actions.size()), given_(history.gifts.size(), kNotYet) {
    out_.asked.resize(history.sections.size());
    out_.behind.resize(history.sections.size(), kNone);
    out_.idle.resize(history.gettings.size());
  }

  Rerun run() {
    for (uint32_t t = 0; t < threads_.size(); ++t) go_on(t);
    while (!ready_.empty()) {
      const auto [at, t] = ready_.top();
      ready_.pop();
      out_.length = std::max(out_.length, at);
      act(t, at);
    }
    for (uint32_t t = 0; t < threads_.size(); ++t)
      out_.ended &= threads_[t].next == history_.actions[t].size() && !threads_[t].blocked;
    return std::move(out_);
  }

 private:
  struct Thread {
    size_t next = 0;
    uint64_t behind = 0;  // its clock less the instructions that it has executed
    bool blocked = false;
  };
  struct Request {
    uint32_t thread = 0, section = 0;
    uint64_t at = 0;
  };
  struct Lock {
    std::vector<uint32_t> holders;  // sections
    std::deque<Request> waiting;
    bool free_for(bool shared, const History& h) const {
      return holders.empty() || (shared && h.sections[holders.front()].shared);
    }
  };

  const Action& action(uint32_t t) const { return history_.actions[t][threads_[t].next]; }

  void go_on(uint32_t t) {
    if (threads_[t].next < history_.actions[t].size()) ready_.push({action(t).insns + threads_[t].behind, t});
  }
  void done(uint32_t t) {
    ++threads_[t].next;
    go_on(t);
  }
  // Its action is done at a later time than it was ready for.
  void done_at(uint32_t t, uint64_t at) {
    threads_[t].behind = at - action(t).insns;
    threads_[t].blocked = false;
    out_.length = std::max(out_.length, at);
    done(t);
  }

  void act(uint32_t t, uint64_t at) {
    const Action& a = action(t);
    switch (a.kind) {
      case ActionKind::kGive:
        given_[a.what] = at;
        done(t);
        return wake(a.what);
      case ActionKind::kGet:
        return get(t, a.what, at);
      case ActionKind::kLock:
        return ask(t, a.what, at);
      case ActionKind::kUnlock:
        done(t);
        return let_go(a.what, at);
    }
  }

  // When the last of the gifts is there, the thread goes on.
  void get(uint32_t t, uint32_t number, uint64_t at) {
    const Getting& g = history_.gettings[number];
    uint64_t last = at;
    for (uint32_t i = g.first; i < g.end; ++i) {
      const uint64_t given = given_[history_.got[i]];
      if (given == kNotYet) {
        threads_[t].blocked = true;
        waiting_[history_.got[i]].push_back(t);
        return;
      }
      last = std::max(last, given);
    }
    // Before its start a thread is not there to wait.
    const bool start = g.of.kind == SyncKind::kThread && threads_[t].next == 0;
    if (!start) out_.idle[number] = last - at;
    done_at(t, last);
  }
  void wake(uint32_t gift) {
    const auto waiting = waiting_.find(gift);
    if (waiting == waiting_.end()) return;
    const std::vector<uint32_t> threads = std::move(waiting->second);
    waiting_.erase(waiting);
    for (const uint32_t t : threads) get(t, action(t).what, action(t).insns + threads_[t].behind);
  }

  Lock& lock_of(uint32_t section) {
    const Section& s = history_.sections[section];
    return locks_[{s.lock, s.life}];
  }
  void ask(uint32_t t, uint32_t section, uint64_t at) {
    Lock& lock = lock_of(section);
    if (lock.waiting.empty() && lock.free_for(history_.sections[section].shared, history_)) {
      lock.holders.push_back(section);
      return done(t);
    }
    out_.behind[section] = lock.holders.back();
    lock.waiting.push_back({t, section, at});
    threads_[t].blocked = true;
  }
  void let_go(uint32_t section, uint64_t at) {
    Lock& lock = lock_of(section);
    std::erase(lock.holders, section);
    while (!lock.waiting.empty()) {
      const Request next = lock.waiting.front();
      if (!lock.free_for(history_.sections[next.section].shared, history_)) return;
      lock.waiting.pop_front();
      lock.holders.push_back(next.section);
      out_.asked[next.section] = at - next.at;
      done_at(next.thread, at);
    }
  }

  using Ready = std::pair<uint64_t, uint32_t>;  // when, which thread

  const History& history_;
  Rerun out_;
  std::vector<Thread> threads_;
  std::vector<uint64_t> given_;                                  // by gift: when
  std::unordered_map<uint32_t, std::vector<uint32_t>> waiting_;  // by gift: threads
  std::map<std::pair<SyncKey, uint32_t>, Lock> locks_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

}  // namespace

Rerun carry_out(const History& history) { return RerunMaker(history).run(); }

}  // namespace cdr::sync
