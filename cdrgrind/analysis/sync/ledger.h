// SPDX-License-Identifier: GPL-2.0-or-later
// Who got what from whom: for each operation that gets something (a lock, a token, a phase of a barrier) the threads
// that gave it. What gives does so at its enter event, what gets at its leave event if it succeeded, as in
// docs/races.md.
#ifndef CDRGRIND_ANALYSIS_SYNC_LEDGER_H
#define CDRGRIND_ANALYSIS_SYNC_LEDGER_H

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/sync/steps.h"

namespace cdr::analysis {

enum class SyncKind : uint8_t {
  kThread,
  kMutex,
  kCondition,
  kBarrier,
  kSemaphore,
  kRwLock,
  kSpinLock,
  kOnce,
  kGuard,
  kOrder,
};
constexpr size_t kSyncKindCount = 10;
SyncKind kind_of(SyncOp op);

bool is_init_or_destroy(SyncOp op);
// Gets something when it is left.
bool is_acquire(SyncOp op);
bool is_condition_wait(SyncOp op);
// The operation failed, and has no effect. A mutex whose owner died is got all the same.
bool failed(const Sync& s);

struct SyncKey {
  SyncKind kind = SyncKind::kThread;
  uint64_t object = 0;
  auto operator<=>(const SyncKey&) const = default;
};

// One object got by a thread.
struct SyncGot {
  SyncKey of;
  bool shared = false;         // a read lock
  std::vector<ThreadId> from;  // ascending, never the thread itself
};

// What a step means.
struct SyncMeaning {
  std::vector<SyncGot> got;       // at a leave; a condition's wait gets its mutex, too
  std::vector<ThreadId> held_by;  // at an enter: who has what it wants
  bool waits = false;             // at an enter: what it wants is not to be had now
  std::vector<SyncKey> let_go;    // at an enter: locks that it releases
};

class SyncLedger {
 public:
  SyncMeaning step(const SyncStep& s);

 private:
  struct Holder {
    ThreadId thread;
    uint32_t times = 1;
    bool shared = false;
  };
  struct Lock {
    std::vector<Holder> holders;
    ThreadId writer;                // who gave it back last
    std::vector<ThreadId> readers;  // who gave back read locks since
  };
  struct Condition {
    struct Signal {
      uint64_t at = 0, left = 0;  // clock; 0: not yet left
      bool all = false;
      ThreadId by;
    };
    std::map<uint64_t, ThreadId> waiting;  // by clock
    std::deque<Signal> signals;
  };
  struct Semaphore {
    uint64_t initial = 0;
    std::deque<ThreadId> tokens;
  };
  struct Barrier {
    uint64_t size = 0, arrived = 0;
    struct Phase {
      std::vector<ThreadId> threads;
      uint64_t left = 0;
    };
    std::map<uint64_t, Phase> phases;
  };
  struct Open {
    SyncOp op = SyncOp::kNone;
    uint64_t ticket = 0;  // condition: clock; barrier: phase
    bool held = false;    // gives back a lock that the thread holds
    bool shared = false;  // as a reader
  };

  void enter(const SyncStep& s, SyncMeaning& to);
  void leave(const SyncStep& s, SyncMeaning& to);
  void leave_failed(const SyncStep& s, const Open& open, SyncMeaning& to);
  void leave_others(const SyncStep& s, const Open& open, SyncMeaning& to);
  void want(const SyncStep& s, SyncMeaning& to);
  void give_back(const SyncKey& key, ThreadId t, Open& open, SyncMeaning& to);
  static void gave(Lock& lock, ThreadId t, bool shared);
  static std::vector<ThreadId> phase(Barrier& b, uint64_t number);
  void take(const SyncKey& key, ThreadId t, bool shared, SyncMeaning& to);
  void signal(const SyncStep& s, Open& open);
  std::vector<ThreadId> woken_by(Condition& c, uint64_t ticket);
  static void forget_old(Condition& c, uint64_t now);

  std::unordered_map<uint32_t, std::vector<Open>> open_;  // by thread
  std::map<SyncKey, Lock> locks_;
  std::unordered_map<uint64_t, Condition> conditions_;
  std::unordered_map<uint64_t, Semaphore> semaphores_;
  std::unordered_map<uint64_t, Barrier> barriers_;
  std::map<SyncKey, std::vector<ThreadId>> gave_;  // once, guards, orders
  uint64_t clock_ = 0;
};

}  // namespace cdr::analysis

#endif
