// SPDX-License-Identifier: GPL-2.0-or-later
// Makes a history of steps, by sync/machine.h.
#ifndef CDRGRIND_ANALYSIS_SYNC_HISTORY_MAKER_H
#define CDRGRIND_ANALYSIS_SYNC_HISTORY_MAKER_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/history.h"
#include "cdrgrind/analysis/sync/machine.h"
#include "cdrgrind/analysis/sync/steps.h"

namespace cdr::sync {

// The latest gift of each of several threads: it comes after all that this one gave before.
struct Gifts {
  struct One {
    ThreadId by;
    uint32_t gift = 0;
  };
  std::vector<One> latest;  // by thread
  void join(const Gifts& other);
};

class HistoryMaker final : SyncClient<Gifts> {
 public:
  HistoryMaker() : machine_(*this) {}
  HistoryMaker(const HistoryMaker&) = delete;
  HistoryMaker& operator=(const HistoryMaker&) = delete;

  void step(const SyncStep& s);
  History take() { return std::move(history_); }

 private:
  struct Open {
    SyncOp op = SyncOp::kNone;
    uint64_t enter = 0;
    bool waits = false;
    uint32_t wait = kNone;  // on a condition
  };
  struct State {
    std::vector<Open> open;
    uint64_t insns = 0;
    std::vector<uint32_t> held;  // sections, in the order in which they began
    uint32_t let_go = kNone;     // by its operation right before
  };

  Gifts release(ThreadId by) override;
  void acquire(ThreadId by, const Acquired& what, const Gifts& from) override;
  void let_go(ThreadId by, const SyncKey& lock) override;

  State& state(ThreadId t);
  void act(ThreadId t, ActionKind kind, size_t what);
  void enter(const SyncStep& s);
  void leave(const SyncStep& s);
  void signal(const SyncStep& s);
  void begin_section(ThreadId t, const SyncKey& lock, bool shared);
  void end_section(ThreadId t, uint32_t section);

  SyncMachine<Gifts> machine_;
  History history_;
  const SyncStep* now_ = nullptr;
  Open leaving_;  // at a leave: the operation
  std::vector<State> threads_;
  std::map<SyncKey, uint32_t> lives_;
  std::map<SyncKey, uint64_t> barrier_sizes_;
  std::map<SyncKey, std::vector<uint32_t>> holders_;  // sections that are open
};

}  // namespace cdr::sync

#endif
