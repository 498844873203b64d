// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/ledger.h"

#include <algorithm>

namespace cdr::analysis {
namespace {

constexpr int64_t kOwnerDead = 130, kTimeOut = 110;  // of Linux on amd64

bool between(SyncOp op, SyncOp first, SyncOp last) { return op >= first && op <= last; }

bool is_lock(SyncKind k) { return k == SyncKind::kMutex || k == SyncKind::kSpinLock || k == SyncKind::kRwLock; }

bool is_unlock(SyncOp op) { return op == SyncOp::kMutexUnlock || op == SyncOp::kSpinUnlock || op == SyncOp::kRwUnlock; }

bool is_read(SyncOp op) { return between(op, SyncOp::kRwReadLock, SyncOp::kRwTimedReadLock); }

bool is_semaphore_wait(SyncOp op) {
  return op == SyncOp::kSemWait || op == SyncOp::kSemTryWait || op == SyncOp::kSemTimedWait;
}

void insert(std::vector<ThreadId>& set, ThreadId t) {
  const auto at = std::lower_bound(set.begin(), set.end(), t);
  if (at == set.end() || *at != t) set.insert(at, t);
}

std::vector<ThreadId> without(std::vector<ThreadId> set, ThreadId t) {
  std::erase(set, t);
  return set;
}

SyncKey key_of(const Sync& s) { return {kind_of(s.op), s.object}; }

}  // namespace

SyncKind kind_of(SyncOp op) {
  if (between(op, SyncOp::kMutexInit, SyncOp::kMutexUnlock)) return SyncKind::kMutex;
  if (between(op, SyncOp::kCondInit, SyncOp::kCondBroadcast)) return SyncKind::kCondition;
  if (between(op, SyncOp::kBarrierInit, SyncOp::kBarrierWait)) return SyncKind::kBarrier;
  if (between(op, SyncOp::kSemInit, SyncOp::kSemPost) || op == SyncOp::kSemTimedWait) return SyncKind::kSemaphore;
  if (between(op, SyncOp::kRwInit, SyncOp::kRwUnlock)) return SyncKind::kRwLock;
  if (between(op, SyncOp::kSpinInit, SyncOp::kSpinUnlock)) return SyncKind::kSpinLock;
  if (op == SyncOp::kOnce || op == SyncOp::kOnceRun) return SyncKind::kOnce;
  if (between(op, SyncOp::kGuardAcquire, SyncOp::kGuardAbort)) return SyncKind::kGuard;
  if (op == SyncOp::kHappensBefore || op == SyncOp::kHappensAfter) return SyncKind::kOrder;
  return SyncKind::kThread;
}

bool is_init_or_destroy(SyncOp op) {
  switch (op) {
    case SyncOp::kMutexInit:
    case SyncOp::kMutexDestroy:
    case SyncOp::kCondInit:
    case SyncOp::kCondDestroy:
    case SyncOp::kBarrierInit:
    case SyncOp::kBarrierDestroy:
    case SyncOp::kSemInit:
    case SyncOp::kSemDestroy:
    case SyncOp::kRwInit:
    case SyncOp::kRwDestroy:
    case SyncOp::kSpinInit:
    case SyncOp::kSpinDestroy:
      return true;
    default:
      return false;
  }
}

bool is_condition_wait(SyncOp op) { return op == SyncOp::kCondWait || op == SyncOp::kCondTimedWait; }

bool is_acquire(SyncOp op) {
  if (is_lock(kind_of(op))) return !is_unlock(op) && !is_init_or_destroy(op);
  return is_condition_wait(op) || is_semaphore_wait(op) || op == SyncOp::kBarrierWait || op == SyncOp::kThreadJoin ||
         op == SyncOp::kOnce || op == SyncOp::kGuardAcquire || op == SyncOp::kHappensAfter;
}

bool failed(const Sync& s) {
  const bool wrong = s.flags & (kSyncFailed | kSyncUnwound);
  return wrong && !(kind_of(s.op) == SyncKind::kMutex && is_acquire(s.op) && s.result == kOwnerDead);
}

SyncMeaning SyncLedger::step(const SyncStep& s) {
  SyncMeaning to;
  ++clock_;
  switch (s.kind) {
    case EventKind::kSyncEnter:
      enter(s, to);
      break;
    case EventKind::kSyncLeave:
      leave(s, to);
      break;
    case EventKind::kThreadStart:
      if (s.child) to.got.push_back({{SyncKind::kThread, s.thread.value}, false, {s.child}});
      break;
    case EventKind::kThreadEnd:
      open_.erase(s.thread.value);
      break;
    default:
      break;
  }
  return to;
}

void SyncLedger::enter(const SyncStep& s, SyncMeaning& to) {
  std::vector<Open>& all = open_[s.thread.value];
  all.push_back({s.sync.op, clock_, false, false});
  Open& open = all.back();
  const uint64_t object = s.sync.object;
  if (is_init_or_destroy(s.sync.op)) {
    locks_.erase(key_of(s.sync));
    if (s.sync.op == SyncOp::kCondInit) conditions_.erase(object);
    if (s.sync.op == SyncOp::kSemInit) semaphores_[object] = {s.sync.value, {}};
    if (s.sync.op == SyncOp::kBarrierInit) barriers_[object] = {s.sync.value, 0, {}};
    return;
  }
  want(s, to);
  if (is_unlock(s.sync.op)) give_back(key_of(s.sync), s.thread, open, to);
  if (is_condition_wait(s.sync.op)) {
    give_back({SyncKind::kMutex, s.sync.object2}, s.thread, open, to);
    conditions_[object].waiting[clock_] = s.thread;
  }
  if (s.sync.op == SyncOp::kCondSignal || s.sync.op == SyncOp::kCondBroadcast) signal(s, open);
  if (s.sync.op == SyncOp::kSemPost) semaphores_[object].tokens.push_back(s.thread);
  if (s.sync.op == SyncOp::kBarrierWait) {
    Barrier& b = barriers_[object];
    open.ticket = b.size ? b.arrived / b.size : 0;
    ++b.arrived;
    insert(b.phases[open.ticket].threads, s.thread);
  }
  if (s.sync.op == SyncOp::kGuardRelease || s.sync.op == SyncOp::kGuardAbort || s.sync.op == SyncOp::kHappensBefore) {
    std::vector<ThreadId>& gave = gave_[key_of(s.sync)];
    if (s.sync.op != SyncOp::kHappensBefore) gave.clear();
    insert(gave, s.thread);
  }
}

// Whether it has to wait, as far as the log tells.
void SyncLedger::want(const SyncStep& s, SyncMeaning& to) {
  if (!is_acquire(s.sync.op)) return;
  const SyncKey key = key_of(s.sync);
  if (is_lock(key.kind)) {
    for (const Holder& h : locks_[key].holders)
      if (h.thread != s.thread && !(h.shared && is_read(s.sync.op))) insert(to.held_by, h.thread);
    to.waits = !to.held_by.empty();
  } else if (key.kind == SyncKind::kSemaphore) {
    const Semaphore& sem = semaphores_[s.sync.object];
    to.waits = sem.initial == 0 && sem.tokens.empty();
  } else if (key.kind == SyncKind::kBarrier) {
    const Barrier& b = barriers_[s.sync.object];
    to.waits = b.size == 0 || (b.arrived + 1) % b.size != 0;
  } else {
    to.waits = key.kind == SyncKind::kCondition;
  }
}

void SyncLedger::give_back(const SyncKey& key, ThreadId t, Open& open, SyncMeaning& to) {
  Lock& lock = locks_[key];
  const auto held =
      std::find_if(lock.holders.begin(), lock.holders.end(), [&](const Holder& h) { return h.thread == t; });
  if (held == lock.holders.end()) return;
  open.held = true;
  open.shared = held->shared;
  if (--held->times > 0) return;
  lock.holders.erase(held);
  to.let_go.push_back(key);
  gave(lock, t, open.shared);
}

void SyncLedger::gave(Lock& lock, ThreadId t, bool shared) {
  if (shared) return insert(lock.readers, t);
  lock.writer = t;
  lock.readers.clear();
}

void SyncLedger::take(const SyncKey& key, ThreadId t, bool shared, SyncMeaning& to) {
  Lock& lock = locks_[key];
  for (Holder& h : lock.holders) {
    if (h.thread != t) continue;
    ++h.times;  // a recursive lock: nothing changes hands
    return;
  }
  std::vector<ThreadId> from;
  if (lock.writer) from.push_back(lock.writer);
  if (!shared)
    for (const ThreadId r : lock.readers) insert(from, r);
  lock.holders.push_back({t, 1, shared});
  to.got.push_back({key, shared, without(std::move(from), t)});
}

void SyncLedger::signal(const SyncStep& s, Open& open) {
  Condition& c = conditions_[s.sync.object];
  c.signals.push_back({clock_, 0, s.sync.op == SyncOp::kCondBroadcast, s.thread});
  open.ticket = clock_;
}

// By the earliest signal that the waiter may have got and no other has.
std::vector<ThreadId> SyncLedger::woken_by(Condition& c, uint64_t ticket) {
  const auto s = std::find_if(c.signals.begin(), c.signals.end(),
                              [&](const Condition::Signal& one) { return one.left == 0 || one.left > ticket; });
  if (s == c.signals.end()) return {};
  const ThreadId by = s->by;
  if (!s->all) c.signals.erase(s);
  return {by};
}

// Signals that nobody who waits or will wait can get.
void SyncLedger::forget_old(Condition& c, uint64_t now) {
  const uint64_t oldest = c.waiting.empty() ? now : c.waiting.begin()->first;
  std::erase_if(c.signals, [&](const Condition::Signal& s) { return s.left != 0 && s.left < oldest; });
}

void SyncLedger::leave(const SyncStep& s, SyncMeaning& to) {
  std::vector<Open>& all = open_[s.thread.value];
  const auto last = std::find_if(all.rbegin(), all.rend(), [&](const Open& o) { return o.op == s.sync.op; });
  if (last == all.rend()) return;
  const Open open = *last;
  all.erase(last.base() - 1, all.end());
  if (kind_of(s.sync.op) == SyncKind::kCondition && conditions_.count(s.sync.object)) {
    Condition& c = conditions_[s.sync.object];
    if (is_condition_wait(s.sync.op) && !failed(s.sync))
      to.got.push_back({key_of(s.sync), false, without(woken_by(c, open.ticket), s.thread)});
    c.waiting.erase(open.ticket);
    for (Condition::Signal& one : c.signals)
      if (one.at == open.ticket) one.left = clock_;
    forget_old(c, clock_);
  }
  if (failed(s.sync)) return leave_failed(s, open, to);
  const SyncKey key = key_of(s.sync);
  if (is_condition_wait(s.sync.op))
    take({SyncKind::kMutex, s.sync.object2}, s.thread, false, to);
  else if (is_lock(key.kind) && is_acquire(s.sync.op))
    take(key, s.thread, is_read(s.sync.op), to);
  else
    leave_others(s, open, to);
}

void SyncLedger::leave_failed(const SyncStep& s, const Open& open, SyncMeaning& to) {
  // After a time-out and a cancellation the mutex is had again; other errors come before it is given back.
  if (is_condition_wait(s.sync.op) && ((s.sync.flags & kSyncUnwound) || s.sync.result == kTimeOut))
    return take({SyncKind::kMutex, s.sync.object2}, s.thread, false, to);
  if (s.sync.op == SyncOp::kSemPost) {
    std::deque<ThreadId>& tokens = semaphores_[s.sync.object].tokens;
    const auto own = std::find(tokens.rbegin(), tokens.rend(), s.thread);
    if (own != tokens.rend()) tokens.erase(std::next(own).base());
  }
  if (!open.held) return;
  const bool wait = is_condition_wait(s.sync.op);
  SyncMeaning nothing;
  take(wait ? SyncKey{SyncKind::kMutex, s.sync.object2} : key_of(s.sync), s.thread, open.shared, nothing);
}

// The phase is forgotten when all have left it.
std::vector<ThreadId> SyncLedger::phase(Barrier& b, uint64_t number) {
  Barrier::Phase& p = b.phases[number];
  if (++p.left != b.size) return p.threads;
  std::vector<ThreadId> threads = std::move(p.threads);
  b.phases.erase(number);
  return threads;
}

void SyncLedger::leave_others(const SyncStep& s, const Open& open, SyncMeaning& to) {
  const SyncKey key = key_of(s.sync);
  const auto got = [&](std::vector<ThreadId> from) {
    to.got.push_back({key, false, without(std::move(from), s.thread)});
  };
  if (is_semaphore_wait(s.sync.op)) {
    Semaphore& sem = semaphores_[s.sync.object];
    std::vector<ThreadId> from;
    if (sem.initial > 0) {
      --sem.initial;
    } else if (!sem.tokens.empty()) {
      from.push_back(sem.tokens.front());
      sem.tokens.pop_front();
    }
    return got(std::move(from));
  }
  switch (s.sync.op) {
    case SyncOp::kMutexUnlock:
    case SyncOp::kSpinUnlock:
    case SyncOp::kRwUnlock:
      // Of who was not seen to hold it: a lock passed on by hand.
      if (!open.held) gave(locks_[key], s.thread, false);
      return;
    case SyncOp::kBarrierWait:
      return got(phase(barriers_[s.sync.object], open.ticket));
    case SyncOp::kThreadJoin:
      if (s.sync.value)
        to.got.push_back({{SyncKind::kThread, s.sync.value}, false, {ThreadId(static_cast<uint32_t>(s.sync.value))}});
      return;
    case SyncOp::kOnceRun:
      gave_[key] = {s.thread};
      return;
    case SyncOp::kOnce:
    case SyncOp::kGuardAcquire:
    case SyncOp::kHappensAfter:
      return got(gave_[key]);
    default:
      return;
  }
}

}  // namespace cdr::analysis
