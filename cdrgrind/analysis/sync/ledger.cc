// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/ledger.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cdr::sync {

void Givers::join(const Givers& other) {
  std::vector<ThreadId> all;
  std::set_union(threads.begin(), threads.end(), other.threads.begin(), other.threads.end(), std::back_inserter(all));
  threads = std::move(all);
}

SyncMeaning SyncLedger::step(const SyncStep& s) {
  meaning_ = {};
  if (s.kind == EventKind::kSyncEnter) {
    auto wanted = machine_.wanted(s.thread, s.sync);
    meaning_.held_by = std::move(wanted.held_by);
    meaning_.waits = wanted.waits;
  }
  machine_.event(s);
  return std::move(meaning_);
}

// A lock that the thread has already does not change hands.
void SyncLedger::acquire(ThreadId by, const Acquired& what, const Givers& from) {
  if (what.again) return;
  SyncGot got{what.of, what.shared, from.threads};
  std::erase(got.from, named(by));
  meaning_.got.push_back(std::move(got));
}

}  // namespace cdr::sync
