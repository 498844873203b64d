// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/requests.h"

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/requests.h"
#include "cdrgrind/tool/heap.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

// Operations on threads name them by pthread_t; the trace by serial number.
uint64_t value_of(SyncOp op, uint64_t object, uint64_t value) {
  switch (op) {
    case SyncOp::kThreadCreate:
    case SyncOp::kThreadJoin:
    case SyncOp::kThreadDetach:
      return object ? thread_of_pthread(object).value : 0;
    default:
      return value;
  }
}

void sync_enter(::ThreadId tid, const UWord* a) {
  const auto op = static_cast<SyncOp>(a[1]);
  record_buffer.append(RecordKind::kSyncEnter, serial_of(tid), {a[1], a[2], a[3], value_of(op, a[2], a[4])});
}

bool failed(SyncOp op, int64_t result) {
  return result != 0 && !(op == SyncOp::kBarrierWait && result == -1);  // PTHREAD_BARRIER_SERIAL_THREAD
}

void sync_leave(::ThreadId tid, const UWord* a) {
  const auto op = static_cast<SyncOp>(a[1]);
  const auto result = static_cast<int64_t>(a[5]);
  uint64_t value = value_of(op, a[2], a[4]);
  if (op == SyncOp::kBarrierWait) value = result == -1;
  record_buffer.append(RecordKind::kSyncLeave, serial_of(tid),
                       {a[1], a[2], a[3], value, a[5], failed(op, result) * uint64_t{kSyncFailed}});
}

void sync_unwound(::ThreadId tid, const UWord* a) {
  record_buffer.append(RecordKind::kSyncLeave, serial_of(tid), {a[1], a[2], a[3], 0, 0, kSyncUnwound});
}

}  // namespace

Bool handle_request(::ThreadId tid, UWord* args, UWord* result) {
  if (!VG_IS_TOOL_USERREQ('C', 'D', args[0])) return False;
  *result = 0;
  if (!serial_of(tid)) return True;
  settle_thread_state();
  switch (args[0]) {
    case CDR_REQ_SYNC_ENTER: sync_enter(tid, args); break;
    case CDR_REQ_SYNC_LEAVE: sync_leave(tid, args); break;
    case CDR_REQ_SYNC_UNWOUND: sync_unwound(tid, args); break;
    case CDR_REQ_HEAP_ENTER: heap_enter(tid, args[1], args[2]); break;
    case CDR_REQ_HEAP_LEAVE: heap_leave(tid, args[1], args[2], args[3], args[4]); break;
    case CDR_REQ_HEAP_UNWOUND: heap_unwound(tid); break;
    default: return False;
  }
  return True;
}

}  // namespace cdr::tool
