// SPDX-License-Identifier: GPL-2.0-or-later
// Objects of synchronisation are memory, too: who initialises, destroys or frees one while another thread may use it
// has a race on it. An operation reads the object when it is entered, before it gives anything back; its leave reads
// nothing, so the last one out of a barrier may destroy it.
//
// Nearly all objects live from before the threads that use them to behind these. What creation and joins of threads
// alone order is told here, in the first look; only other objects take part in the second one.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_OBJECT_LIVES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_OBJECT_LIVES_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/clock.h"
#include "cdrgrind/analysis/sync/machine.h"
#include "cdrgrind/base/event.h"

namespace cdr::races {

// f(object, store): what the operation does to its objects; nothing to those that are none, as threads, and to FILEs,
// which are the C library's.
template <class F>
void visit_objects(const Sync& s, F f) {
  if (sync::file_lock(s)) return;
  const sync::SyncKind kind = sync::kind_of(s.op);
  if (kind != sync::SyncKind::kCondition && kind != sync::SyncKind::kBarrier && kind != sync::SyncKind::kSemaphore &&
      !sync::is_lock(kind))
    return;
  f(s.object, sync::is_init(s.op) || sync::is_destroy(s.op));
  if (sync::is_condition_wait(s.op)) f(s.object2, false);
}

class ObjectLives final : sync::SyncClient<VectorClock> {
 public:
  ObjectLives() : machine_(*this) {}
  ObjectLives(const ObjectLives&) = delete;
  ObjectLives& operator=(const ObjectLives&) = delete;

  // All events; most change nothing. Calls f(object, thread, other, store) for each use that an earlier one by another
  // thread is not ordered with.
  template <class F>
  void event(const Event& e, F f) {
    if (e.kind == EventKind::kSyncEnter)
      visit_objects(e.sync, [&](uint64_t object, bool store) {
        if (const ThreadId other = use(object, e.thread, store)) f(object, e.thread, other, store);
      });
    else if (e.kind == EventKind::kFree || e.kind == EventKind::kResize)
      free_block(e, f);
    const bool sync = e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave;
    if (!sync || e.sync.op == SyncOp::kThreadJoin) machine_.event(e);
  }

 private:
  using Tick = SegmentNumber;
  struct Moment {
    ThreadId thread;
    Tick tick = 0;
  };
  struct Object {
    Moment written;
    std::vector<Moment> read;  // since then, of each thread the last
  };
  struct Thread {
    VectorClock known;
    Tick now = 1;
  };

  // Those that the block has are gone; realloc is taken for a free and an allocation.
  template <class F>
  void free_block(const Event& e, F f) {
    auto o = objects_.lower_bound(e.addr);
    while (o != objects_.end() && o->first < e.addr + e.size) {
      if (const ThreadId other = use(o->first, e.thread, true)) f(o->first, e.thread, other, true);
      o = objects_.erase(o);
    }
  }
  ThreadId use(uint64_t object, ThreadId t, bool store);
  bool knows(ThreadId t, const Moment& m) { return m.thread == t || at(t).known[m.thread] >= m.tick; }
  Thread& at(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  VectorClock release(ThreadId by) override;
  void acquire(ThreadId by, const Acquired&, const VectorClock& from) override { at(by).known.join(from); }

  std::map<uint64_t, Object> objects_;
  std::vector<Thread> threads_;
  sync::SyncMachine<VectorClock> machine_;  // sees the lives of threads, and no other operation
};

}  // namespace cdr::races

#endif
