// SPDX-License-Identifier: GPL-2.0-or-later
// Happens-before by synchronisation: which operation gets what which others gave. What gives does so at its enter
// event, what gets at its leave event, and only if it succeeded. docs/races.md has the table.
//
// A thread switch may fall between an event and the operation itself. So an unlock gives before it is done, and a
// failed one takes that back; a condition's signal may wake whoever began to wait before it was left. Only an object's
// initialisation makes a new one of it: others may still be leaving one that has been destroyed.
#ifndef CDRGRIND_ANALYSIS_SYNC_MACHINE_H
#define CDRGRIND_ANALYSIS_SYNC_MACHINE_H

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sync/channel.h"
#include "cdrgrind/analysis/sync/operations.h"
#include "cdrgrind/analysis/sync/primitives.h"

namespace cdr::sync {

// What is done with what is given and got. `Release`: see primitives.h.
template <class Release>
class SyncClient {
 public:
  // What the thread passes on now.
  virtual Release release(ThreadId by) = 0;
  // `again`: it is a lock that the thread has already. `from` is empty where nobody gave anything.
  struct Acquired {
    SyncKey of;
    bool shared = false, again = false;
  };
  virtual void acquire(ThreadId by, const Acquired& what, const Release& from) = 0;
  virtual void let_go(ThreadId, const SyncKey&) {}

 protected:
  ~SyncClient() = default;
};

template <class Release>
class SyncMachine {
 public:
  using Client = SyncClient<Release>;

  explicit SyncMachine(Client& client) : client_(client) {}
  ~SyncMachine();

  // SyncEnter, SyncLeave, SignalEnter, ThreadCreate, ThreadStart, ThreadEnd; others change nothing. `e` has kind,
  // thread, child and sync, as an Event, and count, if it may be a SignalEnter. `ignored`: the operation that is
  // entered orders nothing.
  template <class E>
  void event(const E& e, bool ignored = false);
  void enter(ThreadId t, const Sync& s, bool ignored = false);
  void leave(ThreadId t, const Sync& s);
  void create(ThreadId by, ThreadId child) { for_child_[child.value] = client_.release(by); }
  void start(ThreadId t);
  void end(ThreadId t);

  // The innermost operation in which the thread is, kNone if none.
  SyncOp operation(ThreadId t) const {
    return t.value < threads_.size() && !threads_[t.value].open.empty() ? threads_[t.value].open.back().op
                                                                        : SyncOp::kNone;
  }
  // Whether what the thread is sending by a channel has been received already.
  bool was_received(ThreadId t) const {
    if (operation(t) != SyncOp::kChannelSend) return false;
    const Open& open = threads_[t.value].open.back();
    const auto channel = channels_.find(open.key.object);
    return channel != channels_.end() && channel->second.was_received(open.ticket);
  }
  // Locks of a thread, in the order in which it got them.
  std::vector<HeldLock> held(ThreadId t);
  // Before an operation is entered: who has what it wants, and whether it has to wait, as far as the events tell.
  struct Wanted {
    std::vector<ThreadId> held_by;
    bool waits = false;
  };
  Wanted wanted(ThreadId t, const Sync& s);
  // What a routine that runs once gave, null if it has not run: `kind` is kOnce or kGuard.
  const Release* routine(SyncKind kind, uint64_t object) const {
    const auto found = gave_.find({kind, object});
    return found == gave_.end() ? nullptr : &found->second;
  }

 private:
  struct Open {
    SyncOp op = SyncOp::kNone;
    bool ignored = false;
    SyncKey key;            // as it was entered
    SyncKey lock;           // that it gives back
    bool had = false;       // that lock was the thread's
    bool shared = false;    // as a reader's
    uint64_t version = 0;   // of the lock, by this
    Release written, read;  // what the lock gave before
    uint64_t ticket = 0;    // condition: when it began; barrier: phase; post: the token; channel: the call
  };
  struct State {
    std::vector<Open> open;
    std::vector<SyncKey> held;
    bool ended = false;
    Release at_end;
  };

  State& state(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  void enter_known(ThreadId t, const Sync& s, Open& open);
  void init(const Sync& s);
  void succeeded(ThreadId t, const Sync& s, const Open& open);
  void take_back(ThreadId t, const Sync& s, Open& open);
  void unlock(ThreadId t, const SyncKey& lock, Open& open);
  void unlock_failed(ThreadId t, Open& open);
  void lock(ThreadId t, const SyncKey& key, bool shared);
  bool hold(ThreadId t, const SyncKey& key, bool shared);  // true if the thread has it anew
  void inherit(ThreadId t, Lock<Release>& lock);
  void join(ThreadId t, ThreadId joined);
  Channel<Release>& channel(uint64_t object) {
    return channels_.try_emplace(object, channel_kind(object)).first->second;
  }
  void send(ThreadId t, const Open& open, uint64_t units);
  void handle_signal(ThreadId t, uint32_t number);
  void get(ThreadId t, const SyncKey& of, const Release& from) { client_.acquire(t, {of}, from); }
  void get_given(ThreadId t, const SyncKey& of) {
    const Release* const given = routine(of.kind, of.object);
    get(t, of, given ? *given : Release());
  }

  Client& client_;
  std::vector<State> threads_;  // by id
  std::unordered_map<uint32_t, Release> for_child_;
  std::unordered_map<SyncKey, Lock<Release>, SyncKeyHash> locks_;
  std::unordered_map<uint64_t, Condition<Release>> conditions_;
  std::unordered_map<uint64_t, Semaphore<Release>> semaphores_;
  std::unordered_map<uint64_t, Barrier<Release>> barriers_;
  std::unordered_map<uint64_t, Channel<Release>> channels_;
  std::unordered_map<SyncKey, Release, SyncKeyHash> gave_;  // routines that ran once, marks of order, signal actions
};

template <class Release>
SyncMachine<Release>::~SyncMachine() = default;

template <class Release>
template <class E>
void SyncMachine<Release>::event(const E& e, bool ignored) {
  switch (e.kind) {
    case EventKind::kSyncEnter:
      return enter(e.thread, e.sync, ignored);
    case EventKind::kSyncLeave:
      return leave(e.thread, e.sync);
    case EventKind::kSignalEnter:
      if constexpr (requires { e.count; }) handle_signal(e.thread, e.count);
      return;
    case EventKind::kThreadCreate:
      return create(e.thread, e.child);
    case EventKind::kThreadStart:
      return start(e.thread);
    case EventKind::kThreadEnd:
      return end(e.thread);
    default:
      return;
  }
}

// --- entering ---

template <class Release>
void SyncMachine<Release>::enter(ThreadId t, const Sync& s, bool ignored) {
  Open open;
  open.op = s.op;
  open.ignored = ignored;
  open.key = key_of(s);
  if (!ignored) enter_known(t, s, open);
  state(t).open.push_back(std::move(open));
}

template <class Release>
void SyncMachine<Release>::enter_known(ThreadId t, const Sync& s, Open& open) {
  if (is_unlock(s.op)) return unlock(t, open.key, open);
  switch (s.op) {
    case SyncOp::kCondWait:
    case SyncOp::kCondTimedWait:
      unlock(t, mutex_of(s), open);
      open.ticket = conditions_[s.object].begin_wait();
      return;
    case SyncOp::kCondSignal:
    case SyncOp::kCondBroadcast:
      open.ticket = conditions_[s.object].begin_signal(client_.release(t), s.op == SyncOp::kCondBroadcast);
      return;
    case SyncOp::kSemPost:
      open.ticket = semaphores_[s.object].post(client_.release(t));
      return;
    case SyncOp::kBarrierWait:
      open.ticket = barriers_[s.object].arrive(client_.release(t));
      return;
    case SyncOp::kOnceRun:
      // Behind those that were left before they were done.
      if (routine(open.key.kind, s.object)) get_given(t, open.key);
      return;
    case SyncOp::kGuardRelease:
    case SyncOp::kGuardAbort:
      gave_[open.key] = client_.release(t);
      return;
    case SyncOp::kHappensBefore:
      gave_[open.key].join(client_.release(t));
      return;
    case SyncOp::kChannelSend:
      if (channel_kind(s.object) == ChannelKind::kSignal)
        gave_[open.key] = client_.release(t);
      else
        open.ticket = channel(s.object).begin_send(client_.release(t));
      return;
    case SyncOp::kChannelReceive:
      open.ticket = channel(s.object).begin_receive();
      return;
    default:
      return init(s);
  }
}

template <class Release>
void SyncMachine<Release>::init(const Sync& s) {
  switch (s.op) {
    case SyncOp::kMutexInit:
    case SyncOp::kSpinInit:
    case SyncOp::kRwInit:
      locks_.erase(key_of(s));
      return;
    case SyncOp::kCondInit:
      conditions_.erase(s.object);
      return;
    case SyncOp::kSemInit:
      semaphores_[s.object] = Semaphore<Release>(s.value);
      return;
    case SyncOp::kBarrierInit:
      barriers_[s.object] = Barrier<Release>(s.value);
      return;
    default:
      return;
  }
}

// --- leaving ---

template <class Release>
void SyncMachine<Release>::leave(ThreadId t, const Sync& s) {
  std::vector<Open>& all = state(t).open;
  const auto last = std::find_if(all.rbegin(), all.rend(), [&](const Open& o) { return o.op == s.op; });
  if (last == all.rend()) return;
  Open open = std::move(*last);
  all.erase(last.base() - 1, all.end());
  if (open.ignored) return;
  if (s.op == SyncOp::kCondSignal || s.op == SyncOp::kCondBroadcast)
    conditions_[open.key.object].end_signal(open.ticket);
  if (failed(s))
    take_back(t, s, open);
  else
    succeeded(t, s, open);
}

template <class Release>
void SyncMachine<Release>::succeeded(ThreadId t, const Sync& s, const Open& open) {
  if (is_inherited(s)) inherit(t, locks_[open.key]);
  if (is_lock(open.key.kind) && is_acquire(s.op)) return lock(t, open.key, is_read_lock(s.op));
  if (is_condition_wait(s.op)) {
    get(t, open.key, conditions_[open.key.object].end_wait(open.ticket).value_or(Release()));
    return lock(t, open.lock, false);
  }
  if (is_semaphore_wait(s.op)) return get(t, open.key, semaphores_[open.key.object].wait().value_or(Release()));
  switch (s.op) {
    case SyncOp::kBarrierWait:
      return get(t, open.key, barriers_[open.key.object].leave(open.ticket));
    case SyncOp::kThreadJoin:
      return join(t, ThreadId(static_cast<uint32_t>(s.value)));
    case SyncOp::kOnceRun:
      gave_[open.key] = client_.release(t);
      return;
    case SyncOp::kOnce:
    case SyncOp::kGuardAcquire:
    case SyncOp::kHappensAfter:
      return get_given(t, open.key);
    case SyncOp::kChannelSend:
      return send(t, open, s.value);
    case SyncOp::kChannelReceive:
      return get(t, open.key, channel(open.key.object).end_receive(open.ticket, s.value, s.object2 != 0));
    default:
      return;
  }
}

// What a failed operation gave when it was entered.
template <class Release>
void SyncMachine<Release>::take_back(ThreadId t, const Sync& s, Open& open) {
  if (is_condition_wait(s.op)) conditions_[open.key.object].give_up(open.ticket);
  if (has_mutex_again(s)) return lock(t, open.lock, false);
  if (is_unlock(s.op) || is_condition_wait(s.op)) return unlock_failed(t, open);
  if (s.op == SyncOp::kOnceRun) gave_[open.key] = client_.release(t);
  if (s.op == SyncOp::kSemPost) semaphores_[open.key.object].take_back(open.ticket);
  if (s.op == SyncOp::kChannelSend) channel(open.key.object).give_up_send(open.ticket);
  if (s.op == SyncOp::kChannelReceive) channel(open.key.object).give_up_receive(open.ticket);
}

// --- channels ---

// What the call read of memory is behind its enter, and before what it gives, unless somebody was given it sooner.
template <class Release>
void SyncMachine<Release>::send(ThreadId t, const Open& open, uint64_t units) {
  if (channel_kind(open.key.object) == ChannelKind::kSignal) return;
  channel(open.key.object).end_send(open.ticket, units, client_.release(t));
}

template <class Release>
void SyncMachine<Release>::handle_signal(ThreadId t, uint32_t number) {
  const SyncKey action = {SyncKind::kChannel, channel_object(ChannelKind::kSignal, number)};
  if (routine(action.kind, action.object)) get_given(t, action);
  for (const ThreadId to : {t, ThreadId()}) {
    const SyncKey sent = {SyncKind::kChannel, sent_signal(number, to)};
    const auto found = channels_.find(sent.object);
    if (found != channels_.end()) get(t, sent, found->second.end_receive(found->second.begin_receive(), 1, false));
  }
}

// --- locks ---

template <class Release>
void SyncMachine<Release>::unlock(ThreadId t, const SyncKey& lock, Open& open) {
  Lock<Release>& l = locks_[lock];
  const auto* const holder = l.holder(t);
  open.lock = lock;
  open.had = holder != nullptr;
  open.shared = holder && holder->shared;
  open.version = ++l.version;
  open.read = l.read;
  if (open.shared) {
    open.written = l.written;
    l.read.join(client_.release(t));
  } else {
    open.written = std::exchange(l.written, client_.release(t));
    l.read = Release();
  }
  if (!l.let_go(t)) return;
  std::erase(state(t).held, lock);
  client_.let_go(t, lock);
}

template <class Release>
void SyncMachine<Release>::unlock_failed(ThreadId t, Open& open) {
  Lock<Release>& l = locks_[open.lock];
  if (l.version == open.version) {
    l.written = std::move(open.written);
    l.read = std::move(open.read);
  }
  if (open.had) hold(t, open.lock, open.shared);
}

template <class Release>
void SyncMachine<Release>::lock(ThreadId t, const SyncKey& key, bool shared) {
  const Lock<Release>& l = locks_[key];
  const typename Client::Acquired what = {key, shared, !hold(t, key, shared)};
  if (shared || key.kind != SyncKind::kRwLock) return client_.acquire(t, what, l.written);
  Release all = l.written;
  all.join(l.read);
  client_.acquire(t, what, all);
}

// The dead owner gave the lock back with its end.
template <class Release>
void SyncMachine<Release>::inherit(ThreadId t, Lock<Release>& lock) {
  for (const auto& h : lock.holders)
    if (h.thread != t && state(h.thread).ended) lock.written.join(state(h.thread).at_end);
}

template <class Release>
bool SyncMachine<Release>::hold(ThreadId t, const SyncKey& key, bool shared) {
  const bool anew = locks_[key].hold(t, shared);
  if (anew) state(t).held.push_back(key);
  return anew;
}

template <class Release>
std::vector<HeldLock> SyncMachine<Release>::held(ThreadId t) {
  std::vector<HeldLock> locks;
  for (const SyncKey& key : state(t).held)
    if (const auto* const holder = locks_[key].holder(t)) locks.push_back({key, holder->shared});
  return locks;
}

template <class Release>
typename SyncMachine<Release>::Wanted SyncMachine<Release>::wanted(ThreadId t, const Sync& s) {
  Wanted w;
  if (!is_acquire(s.op)) return w;
  const SyncKey key = key_of(s);
  if (is_lock(key.kind)) {
    for (const auto& h : locks_[key].holders)
      if (h.thread != t && !(h.shared && is_read_lock(s.op))) w.held_by.push_back(h.thread);
    std::sort(w.held_by.begin(), w.held_by.end());
    w.waits = !w.held_by.empty();
  } else if (key.kind == SyncKind::kSemaphore) {
    w.waits = !semaphores_[s.object].has_token();
  } else if (key.kind == SyncKind::kBarrier) {
    w.waits = !barriers_[s.object].is_last_missing();
  } else {
    w.waits = key.kind == SyncKind::kCondition;
  }
  return w;
}

// --- threads ---

template <class Release>
void SyncMachine<Release>::start(ThreadId t) {
  const auto given = for_child_.find(t.value);
  if (given == for_child_.end()) return;
  get(t, {SyncKind::kThread, t.value}, given->second);
  for_child_.erase(given);
}

template <class Release>
void SyncMachine<Release>::end(ThreadId t) {
  State& s = state(t);
  s.at_end = client_.release(t);
  s.ended = true;
  s.open.clear();
}

template <class Release>
void SyncMachine<Release>::join(ThreadId t, ThreadId joined) {
  const State& s = state(joined);
  if (joined && s.ended) get(t, {SyncKind::kThread, joined.value}, s.at_end);
}

}  // namespace cdr::sync

#endif
