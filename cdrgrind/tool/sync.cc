// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/sync.h"

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/requests.h"
#include "cdrgrind/tool/mpi.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/thread_switch.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

// Spin locks that are held. pthread_spin_init and pthread_spin_unlock are one piece of code: it is the second if
// the lock is held.
constinit FlatMap<uint64_t, uint8_t> held_spins;

SyncOp op_of(UWord word) { return static_cast<SyncOp>(word & ~UWord{CDR_SYNC_HIDDEN}); }
bool hidden(UWord word) { return word & CDR_SYNC_HIDDEN; }

SyncOp spin_entered(SyncOp op, Addr lock) {
  if (op != SyncOp::kSpinUnlock && op != SyncOp::kSpinDestroy) return op;
  const bool held = held_spins.find(lock);
  if (held) held_spins.erase(lock);
  return op == SyncOp::kSpinUnlock && !held ? SyncOp::kSpinInit : op;
}

void spin_left(SyncOp op, Addr lock, bool success) {
  if (success && (op == SyncOp::kSpinLock || op == SyncOp::kSpinTryLock)) held_spins[lock] = 1;
}

// Operations on threads name them by pthread_t; the trace by serial number. When a join has ended its pthread_t
// may be another thread's already, and when a create has, its thread may not yet have run.
uint64_t other_thread(::ThreadId tid, SyncOp op, uint64_t pthread, bool leave) {
  ThreadExtra& extra = thread_extra(tid);
  if (op == SyncOp::kThreadCreate) {
    if (!leave || !pthread) return 0;
    name_thread(pthread, extra.created);
    return extra.created.value;
  }
  if (!leave) extra.other = thread_of_pthread(pthread);
  return extra.other.value;
}

uint64_t value_of(::ThreadId tid, SyncOp op, const UWord* a, bool leave) {
  switch (op) {
    case SyncOp::kThreadCreate:
    case SyncOp::kThreadJoin:
    case SyncOp::kThreadDetach:
    case SyncOp::kThreadCancel:
      return other_thread(tid, op, a[2], leave);
    default:
      return a[4];
  }
}

bool failed(SyncOp op, int64_t result) {
  if (is_team_op(op)) return false;
  if (op == SyncOp::kBarrierWait && result == -1) return false;  // PTHREAD_BARRIER_SERIAL_THREAD
  return result != 0 && op != SyncOp::kGuardAcquire;
}

// What the program does where MPI's library calls it back is its own.
bool hidden_in_runtime(::ThreadId tid) { return thread_extra(tid).in_runtime && !called_back_by_mpi(tid); }

// What a parallel runtime calls of itself, and what it calls of others, is its own; what the program is asked for is
// not hidden by its regions: strands are told as a whole.
UWord hidden_or(::ThreadId tid, SyncOp op) {
  ThreadExtra& extra = thread_extra(tid);
  const auto word = static_cast<UWord>(op);
  settle_mpi(tid);
  if (!is_team_op(op)) return extra.hide_depth || hidden_in_runtime(tid) ? word | CDR_SYNC_HIDDEN : word;
  const bool inner = is_team_callback(op) || op == SyncOp::kTaskDepend;
  if (!options.openmp || (extra.in_runtime && !inner)) return word | CDR_SYNC_HIDDEN;
  extra.in_runtime = !is_team_callback(op);
  return word;
}

void leave_runtime(::ThreadId tid, SyncOp op) {
  if (is_team_op(op)) thread_extra(tid).in_runtime = is_team_callback(op) || op == SyncOp::kTaskDepend;
}

}  // namespace

UWord sync_enter(::ThreadId tid, const UWord* a) {
  name_main_thread(tid);
  const SyncOp op = spin_entered(static_cast<SyncOp>(a[1]), a[2]);
  const uint64_t value = value_of(tid, op, a, false);
  const UWord word = hidden_or(tid, op);
  if (hidden(word)) return word;
  record_buffer.append(RecordKind::kSyncEnter, serial_of(tid), {word, a[2], a[3], value});
  test_switch(tid, SwitchAt::kEnter);
  return word;
}

void sync_leave(::ThreadId tid, const UWord* a) {
  const SyncOp op = op_of(a[1]);
  const auto result = static_cast<int64_t>(a[5]);
  if (!hidden(a[1])) test_switch(tid, SwitchAt::kLeave);
  spin_left(op, a[2], result == 0);
  const uint64_t value = value_of(tid, op, a, true);
  if (hidden(a[1])) return;
  leave_runtime(tid, op);
  record_buffer.append(RecordKind::kSyncLeave, serial_of(tid),
                       {a[1], a[2], a[3], value, a[5], failed(op, result) * uint64_t{kSyncFailed}});
}

void sync_unwound(::ThreadId tid, const UWord* a) {
  if (hidden(a[1])) return;
  leave_runtime(tid, op_of(a[1]));
  record_buffer.append(RecordKind::kSyncLeave, serial_of(tid), {a[1], a[2], a[3], 0, 0, kSyncUnwound});
}

void sync_mark(::ThreadId tid, SyncOp op, Addr object) {
  if (thread_extra(tid).hide_depth || hidden_in_runtime(tid)) return;
  const auto word = static_cast<uint64_t>(op);
  record_buffer.append(RecordKind::kSyncEnter, serial_of(tid), {word, object, 0, 0});
  record_buffer.append(RecordKind::kSyncLeave, serial_of(tid), {word, object, 0, 0, 0, 0});
}

void hide_begin(::ThreadId tid) {
  if (thread_extra(tid).hide_depth++ == 0) record_buffer.append(RecordKind::kHideBegin, serial_of(tid), {});
}

void hide_end(::ThreadId tid) {
  uint32_t& depth = thread_extra(tid).hide_depth;
  if (depth > 0 && --depth == 0) record_buffer.append(RecordKind::kHideEnd, serial_of(tid), {});
}

}  // namespace cdr::tool
