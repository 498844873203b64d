// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/objects.h"

namespace cdr::sync {
namespace {

bool is_release(SyncOp op) {
  return op == SyncOp::kSemPost || op == SyncOp::kCondSignal || op == SyncOp::kCondBroadcast ||
         op == SyncOp::kHappensBefore || op == SyncOp::kChannelSend;
}

}  // namespace

void ObjectCounter::step(const SyncStep& s) {
  const SyncMeaning m = ledger_.step(s);
  totals_.events = s.number;
  if (s.kind == EventKind::kThreadStart) totals_.threads.push_back(s.thread);
  if (s.kind == EventKind::kSyncEnter) enter(s, m);
  if (s.kind == EventKind::kSyncLeave) leave(s);
  for (const SyncKey& key : m.let_go) end_section(key, s);
  for (const SyncGot& g : m.got)
    if (g.of.kind != SyncKind::kThread) got(g, s);
}

SyncTotals ObjectCounter::take() {
  for (auto& [key, object] : objects_) totals_.objects.push_back(std::move(object));
  return std::move(totals_);
}

SyncObject& ObjectCounter::object(const SyncKey& key, const SyncStep& s) {
  const auto [at, is_new] = objects_.try_emplace(key);
  SyncObject& o = at->second;
  if (is_new) {
    o.key = key;
    o.first_event = s.index;
  }
  if (range_.has(s.index)) {
    ++o.events;
    o.threads.insert(s.thread);
  }
  return o;
}

void ObjectCounter::enter(const SyncStep& s, const SyncMeaning& m) {
  const SyncKind kind = kind_of(s.sync.op);
  if (kind == SyncKind::kThread) return;
  SyncObject& o = object({kind, s.sync.object}, s);
  if (!range_.has(s.index)) return;
  o.contended += m.waits;
  o.releases += is_release(s.sync.op);
}

void ObjectCounter::leave(const SyncStep& s) {
  const SyncKind kind = kind_of(s.sync.op);
  if (kind == SyncKind::kThread || !failed(s.sync)) return;
  SyncObject& o = object({kind, s.sync.object}, s);
  if (!range_.has(s.index)) return;
  o.failed += is_acquire(s.sync.op);
  if (o.releases) o.releases -= is_release(s.sync.op);
}

void ObjectCounter::got(const SyncGot& g, const SyncStep& s) {
  SyncObject& o = object(g.of, s);
  if (range_.has(s.index)) {
    ++o.acquisitions;
    o.shared += g.shared;
    o.hand_overs += !g.from.empty();
    for (const ThreadId from : g.from) ++o.pairs[{from, s.thread}];
  }
  sections_[{g.of, s.thread}] = {0, s.thread, s.index, 0};
  begins_[{g.of, s.thread}] = s.insns;
}

void ObjectCounter::end_section(const SyncKey& key, const SyncStep& s) {
  const auto open = sections_.find({key, s.thread});
  if (open == sections_.end()) return;
  SyncObject& o = object(key, s);
  CriticalSection section = open->second;
  sections_.erase(open);
  if (!range_.has(section.begin)) return;
  section.insns = s.insns - begins_[{key, s.thread}];
  section.end = s.index;
  o.insns_held += section.insns;
  if (o.longest.end == 0 || section.insns > o.longest.insns) o.longest = section;
}

SyncTotals count_sync(const trace::TraceFile& file, const analysis::Watch& watch) {
  ObjectCounter counter({});
  analysis::WatchedPart part(watch, "operations", file.event_count());
  for_each_sync_step(
      file, [&](const SyncStep& s) { counter.step(s); }, part);
  return counter.take();
}

}  // namespace cdr::sync
