// SPDX-License-Identifier: GPL-2.0-or-later
// Who got what from whom: for each operation that gets something (a lock, a token, a phase of a barrier) the threads
// that gave it, by sync/machine.h.
#ifndef CDRGRIND_ANALYSIS_SYNC_LEDGER_H
#define CDRGRIND_ANALYSIS_SYNC_LEDGER_H

#include <functional>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/machine.h"
#include "cdrgrind/analysis/sync/steps.h"

namespace cdr::sync {

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

// Threads that gave something, ascending.
struct Givers {
  std::vector<ThreadId> threads;
  void join(const Givers& other);
};

class SyncLedger final : SyncClient<Givers> {
 public:
  SyncLedger() : machine_(*this) {}
  // `who`: whoever stands for a thread at that moment, told in its place of those that give.
  explicit SyncLedger(std::function<ThreadId(ThreadId)> who) : machine_(*this), who_(std::move(who)) {}
  SyncLedger(const SyncLedger&) = delete;
  SyncLedger& operator=(const SyncLedger&) = delete;

  SyncMeaning step(const SyncStep& s);

 private:
  ThreadId named(ThreadId t) const { return who_ ? who_(t) : t; }
  Givers release(ThreadId by) override { return {{named(by)}}; }
  void acquire(ThreadId by, const Acquired& what, const Givers& from) override;
  void let_go(ThreadId, const SyncKey& lock) override { meaning_.let_go.push_back(lock); }

  SyncMachine<Givers> machine_;
  std::function<ThreadId(ThreadId)> who_;
  SyncMeaning meaning_;  // of the step under way
};

}  // namespace cdr::sync

#endif
