// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/sync_edges.h"

#include <algorithm>

namespace cdr::analysis {

namespace {

// Of Linux on amd64, which recordings are of.
constexpr int64_t kTimedOut = 110;
constexpr int64_t kOwnerDied = 130;

bool is_mutex_lock(SyncOp op) {
  return op == SyncOp::kMutexLock || op == SyncOp::kMutexTryLock || op == SyncOp::kMutexTimedLock ||
         op == SyncOp::kSpinLock || op == SyncOp::kSpinTryLock;
}
bool is_read_lock(SyncOp op) {
  return op == SyncOp::kRwReadLock || op == SyncOp::kRwTryReadLock || op == SyncOp::kRwTimedReadLock;
}
bool is_write_lock(SyncOp op) {
  return op == SyncOp::kRwWriteLock || op == SyncOp::kRwTryWriteLock || op == SyncOp::kRwTimedWriteLock;
}
bool is_cond_wait(SyncOp op) { return op == SyncOp::kCondWait || op == SyncOp::kCondTimedWait; }
bool is_sem_wait(SyncOp op) {
  return op == SyncOp::kSemWait || op == SyncOp::kSemTryWait || op == SyncOp::kSemTimedWait;
}

}  // namespace

void SyncEdges::event(const Event& e) {
  switch (e.kind) {
    case EventKind::kSyncEnter:
      return enter(e);
    case EventKind::kSyncLeave:
      return leave(e);
    case EventKind::kThreadCreate:
      for_child_[e.child.value] = segments_.give(e.thread);
      return;
    case EventKind::kThreadStart: {
      const auto given = for_child_.find(e.thread.value);
      if (given == for_child_.end()) return;
      get(e.thread, given->second);
      for_child_.erase(given);
      return;
    }
    case EventKind::kThreadEnd: {
      State& s = state(e.thread);
      s.at_end = segments_.give(e.thread);
      s.ended = true;
      s.open.clear();
      s.held.clear();
      return;
    }
    default:
      return;
  }
}

void SyncEdges::enter(const Event& e) {
  Open open;
  open.op = e.sync.op;
  open.object = e.sync.object;
  open.ignored = ignored_(open.object);
  if (!open.ignored) enter_known(e.thread, e.sync, open);
  state(e.thread).open.push_back(std::move(open));
}

void SyncEdges::enter_known(ThreadId t, const Sync& s, Open& open) {
  switch (s.op) {
    case SyncOp::kMutexInit:
    case SyncOp::kSpinInit:
      mutexes_.erase(s.object);
      break;
    case SyncOp::kRwInit:
      rwlocks_.erase(s.object);
      break;
    case SyncOp::kCondInit:
      conditions_.erase(s.object);
      break;
    case SyncOp::kSemInit:
      semaphores_[s.object].init(s.value);
      break;
    case SyncOp::kBarrierInit:
      barriers_[s.object].init(s.value);
      break;
    case SyncOp::kMutexUnlock:
    case SyncOp::kSpinUnlock:
      unlock(t, s.object, open);
      break;
    case SyncOp::kRwUnlock:
      rw_unlock(t, s.object, open);
      break;
    case SyncOp::kCondWait:
    case SyncOp::kCondTimedWait:
      unlock(t, s.object2, open);
      open.ticket = conditions_[s.object].begin_wait();
      break;
    case SyncOp::kCondSignal:
    case SyncOp::kCondBroadcast:
      open.ticket = conditions_[s.object].begin_signal(segments_.give(t), s.op == SyncOp::kCondBroadcast);
      break;
    case SyncOp::kSemPost:
      open.ticket = semaphores_[s.object].post(segments_.give(t));
      break;
    case SyncOp::kBarrierWait:
      open.ticket = barriers_[s.object].arrive(segments_.give(t));
      break;
    case SyncOp::kGuardRelease:
    case SyncOp::kGuardAbort:
      routines_[s.object] = segments_.give(t);
      break;
    case SyncOp::kHappensBefore:
      announced_[s.object].join(segments_.give(t));
      break;
    default:
      break;
  }
}

void SyncEdges::leave(const Event& e) {
  std::vector<Open>& all = state(e.thread).open;
  const auto last = std::find_if(all.rbegin(), all.rend(), [&](const Open& o) { return o.op == e.sync.op; });
  if (last == all.rend()) return;
  const Open open = std::move(*last);
  all.erase(last.base() - 1, all.end());
  if (open.ignored) return;
  const bool owner_died = is_mutex_lock(e.sync.op) && e.sync.result == kOwnerDied;
  if ((e.sync.flags & (kSyncFailed | kSyncUnwound)) && !owner_died)
    leave_failed(e.thread, e.sync, open);
  else
    leave_succeeded(e.thread, e.sync, open);
}

void SyncEdges::leave_succeeded(ThreadId t, const Sync& s, const Open& open) {
  const uint64_t object = open.object;
  if (is_mutex_lock(s.op)) return lock(t, object);
  if (is_cond_wait(s.op)) return wait_over(t, s, open);
  if (is_read_lock(s.op) || is_write_lock(s.op)) {
    const ReadWriteLock& l = rwlocks_[object];
    get(t, l.written);
    if (is_write_lock(s.op)) get(t, l.read);
    return hold(t, object, is_read_lock(s.op));
  }
  if (is_sem_wait(s.op)) {
    if (const auto got = semaphores_[object].wait()) get(t, *got);
    return;
  }
  switch (s.op) {
    case SyncOp::kCondSignal:
    case SyncOp::kCondBroadcast:
      return conditions_[object].end_signal(open.ticket);
    case SyncOp::kBarrierWait:
      return get(t, barriers_[object].leave(open.ticket));
    case SyncOp::kThreadJoin: {
      const ThreadId joined(static_cast<uint32_t>(s.value));
      if (joined && state(joined).ended) get(t, state(joined).at_end);
      return;
    }
    case SyncOp::kOnceRun:
      routines_[object] = segments_.give(t);
      return;
    case SyncOp::kOnce:
    case SyncOp::kGuardAcquire:
      return guard_read(t, object);
    case SyncOp::kHappensAfter:
      if (const auto found = announced_.find(object); found != announced_.end()) get(t, found->second);
      return;
    default:
      return;
  }
}

void SyncEdges::guard_read(ThreadId t, uint64_t guard) {
  if (const auto found = routines_.find(guard); found != routines_.end()) get(t, found->second);
}

void SyncEdges::leave_failed(ThreadId t, const Sync& s, const Open& open) {
  switch (s.op) {
    case SyncOp::kMutexUnlock:
    case SyncOp::kSpinUnlock:
      unlock_failed(open.object, open);
      if (open.gave_back) hold(t, open.object, false);
      return;
    case SyncOp::kCondWait:
    case SyncOp::kCondTimedWait:
      return wait_failed(t, s, open);
    case SyncOp::kCondSignal:
    case SyncOp::kCondBroadcast:
      conditions_[open.object].end_signal(open.ticket);
      return;
    case SyncOp::kSemPost:
      semaphores_[open.object].take_back(open.ticket);
      return;
    default:
      return;
  }
}

void SyncEdges::lock(ThreadId t, uint64_t object) {
  get(t, mutexes_[object].given);
  hold(t, object, false);
}

void SyncEdges::unlock(ThreadId t, uint64_t object, Open& open) {
  Mutex& m = mutexes_[object];
  open.before = m.given;
  open.version = ++m.version;
  m.given = segments_.give(t);
  const std::vector<HeldLock>& held = state(t).held;
  open.gave_back = std::any_of(held.begin(), held.end(), [&](const HeldLock& h) { return h.object == object; });
  let_go(t, object);
}

void SyncEdges::unlock_failed(uint64_t object, const Open& open) {
  Mutex& m = mutexes_[object];
  if (m.version == open.version) m.given = open.before;
}

void SyncEdges::rw_unlock(ThreadId t, uint64_t object, Open& open) {
  ReadWriteLock& l = rwlocks_[object];
  open.gave_back = true;
  const Knowledge what = segments_.give(t);
  if (let_go(t, object)) {
    l.read.join(what);
  } else {
    l.written = what;
    l.read = {};
  }
}

void SyncEdges::wait_over(ThreadId t, const Sync& s, const Open& open) {
  if (const auto got = conditions_[s.object].end_wait(open.ticket)) get(t, *got);
  lock(t, s.object2);
}

// After a time-out or a cancellation the thread has the mutex again. Another error comes before the mutex is
// given back.
void SyncEdges::wait_failed(ThreadId t, const Sync& s, const Open& open) {
  conditions_[s.object].give_up(open.ticket);
  if ((s.flags & kSyncUnwound) || s.result == kTimedOut) return lock(t, s.object2);
  unlock_failed(s.object2, open);
  if (open.gave_back) hold(t, s.object2, false);
}

void SyncEdges::hold(ThreadId t, uint64_t object, bool shared) {
  std::vector<HeldLock>& held = state(t).held;
  for (HeldLock& h : held) {
    if (h.object != object) continue;
    ++h.times;
    return;
  }
  held.push_back({object, shared, 1});
}

bool SyncEdges::let_go(ThreadId t, uint64_t object) {
  std::vector<HeldLock>& held = state(t).held;
  const auto found = std::find_if(held.begin(), held.end(), [&](const HeldLock& h) { return h.object == object; });
  if (found == held.end()) return false;
  const bool shared = found->shared;
  if (--found->times == 0) held.erase(found);
  return shared;
}

}  // namespace cdr::analysis
