// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/past_finder.h"

#include <algorithm>

#include "cdrgrind/analysis/races/core/pairing.h"

namespace cdr::races {

namespace {

// For another thread, as long as that takes.
bool waits(SyncOp op) {
  switch (op) {
    case SyncOp::kCondWait:
    case SyncOp::kSemWait:
    case SyncOp::kBarrierWait:
    case SyncOp::kMutexLock:
    case SyncOp::kRwReadLock:
    case SyncOp::kRwWriteLock:
      return true;
    default:
      return false;
  }
}

}  // namespace

void PastFinder::event(const Event& e) {
  switch (e.kind) {
    case EventKind::kThreadCreate:
      segment_begins(e.thread);
      starting_ += !thread(e.child).starting;
      thread(e.child).starting = true;
      break;
    case EventKind::kThreadStart:
      starting_ -= thread(e.thread).starting;
      thread(e.thread).starting = false;
      by_pthread_[e.value] = e.thread;
      break;
    case EventKind::kThreadEnd:
      thread(e.thread).ended = thread(e.thread).relied_on = true;
      break;
    case EventKind::kSyncEnter:
      if (waits(e.sync.op)) thread(e.thread).waits = looks_;
      if (e.sync.op != SyncOp::kThreadJoin) break;
      if (const auto found = by_pthread_.find(e.sync.object); found != by_pthread_.end())
        thread(e.thread).awaited = found->second;
      break;
    case EventKind::kSyncLeave:
      thread(e.thread).waits = 0;
      if (e.sync.op == SyncOp::kThreadJoin) thread(e.thread).awaited = {};
      break;
    default:
      break;
  }
}

// Of the other one, before it does anything.
SegmentNumber PastFinder::will_know(ThreadId t, ThreadId other) const {
  SegmentNumber known = 0;
  for (size_t depth = 0; t && depth < threads_.size(); ++depth) {
    if (t == other || waits_long(t))
      return static_cast<SegmentNumber>(c_.segments.count(other) - c_.segments.is_open(other));
    known = std::max(known, c_.segments.known_now(t, other, Order::kSync));
    t = t.value < threads_.size() && is_there(threads_[t.value].awaited.value) ? threads_[t.value].awaited : ThreadId();
  }
  return known;
}

SegmentNumber PastFinder::known_to_all(ThreadId t) const {
  auto known = static_cast<SegmentNumber>(c_.segments.count(t) - c_.segments.is_open(t));
  const auto n = std::max(c_.segments.thread_count() + 1, static_cast<uint32_t>(threads_.size()));
  for (uint32_t other = 1; other < n && known > 0; ++other)
    if (other != t.value && is_there(other)) known = std::min(known, will_know(ThreadId(other), t));
  return known;
}

bool PastFinder::prepare() {
  if (entries_ < limit_) return false;
  limit_ = entries_ + least_;
  ++looks_;
  if (starting_ > 0) return false;
  until_.assign(std::max<size_t>(c_.segments.thread_count() + 1, c_.sets.size()), 0);
  size_t past = 0;  // entries up to there
  for (uint32_t t = 1; t < until_.size(); ++t) {
    const SegmentNumber before = c_.past.of(ThreadId(t));
    until_[t] = std::max(known_to_all(ThreadId(t)), before);
    if (t < c_.sets.size()) past += c_.sets[t].first_in(until_[t] + 1) - c_.sets[t].first_in(before + 1);
  }
  if (past < entries_ / 2) return false;
  for (uint32_t t = 1; t < threads_.size(); ++t) {
    if (threads_[t].ended) continue;
    threads_[t].relied_on = !knows(ThreadId(t), until_);
    if (threads_[t].relied_on) c_.segments.close(ThreadId(t));
  }
  return true;
}

void PastFinder::find() {
  find_past_pairs(until_, c_);
  entries_ = 0;
  for (uint32_t t = 1; t < c_.sets.size(); ++t) entries_ += c_.sets[t].size() - c_.sets[t].first_in(until_[t] + 1);
  limit_ = entries_ + least_;
}

bool PastFinder::knows(ThreadId t, const std::vector<SegmentNumber>& until) const {
  for (uint32_t other = 1; other < until.size(); ++other)
    if (other != t.value && c_.segments.known_now(t, ThreadId(other), Order::kSync) < until[other]) return false;
  return true;
}

void PastFinder::check(ThreadId t) {
  threads_[t.value].relied_on = false;
  went_wrong_ |= !knows(t, c_.past.until);
}

}  // namespace cdr::races
