// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/requests.h"

#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/requests.h"
#include "cdrgrind/tool/heap.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/superblock_words.h"
#include "cdrgrind/tool/threads.h"
#include "include/cdrgrind/cdrgrind.h"

namespace cdr::tool {
namespace {

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

uint64_t value_of(::ThreadId tid, const UWord* a, bool leave) {
  switch (static_cast<SyncOp>(a[1])) {
    case SyncOp::kThreadCreate:
    case SyncOp::kThreadJoin:
    case SyncOp::kThreadDetach:
      return other_thread(tid, static_cast<SyncOp>(a[1]), a[2], leave);
    default:
      return a[4];
  }
}

void sync_enter(::ThreadId tid, const UWord* a) {
  name_main_thread(tid);
  record_buffer.append(RecordKind::kSyncEnter, serial_of(tid), {a[1], a[2], a[3], value_of(tid, a, false)});
}

bool failed(SyncOp op, int64_t result) {
  return result != 0 && !(op == SyncOp::kBarrierWait && result == -1);  // PTHREAD_BARRIER_SERIAL_THREAD
}

void sync_leave(::ThreadId tid, const UWord* a) {
  const auto op = static_cast<SyncOp>(a[1]);
  const auto result = static_cast<int64_t>(a[5]);
  record_buffer.append(RecordKind::kSyncLeave, serial_of(tid),
                       {a[1], a[2], a[3], value_of(tid, a, true), a[5], failed(op, result) * uint64_t{kSyncFailed}});
}

void sync_unwound(::ThreadId tid, const UWord* a) {
  record_buffer.append(RecordKind::kSyncLeave, serial_of(tid), {a[1], a[2], a[3], 0, 0, kSyncUnwound});
}

// Of include/cdrgrind/cdrgrind.h. Those that only an analysis of races would look at are taken and not recorded.
void user_request(::ThreadId tid, const UWord* a) {
  switch (a[0]) {
    case CDRGRIND_REQ_START_RECORDING: record_buffer.append(RecordKind::kCollect, serial_of(tid), {1}); break;
    case CDRGRIND_REQ_STOP_RECORDING: record_buffer.append(RecordKind::kCollect, serial_of(tid), {0}); break;
    case CDRGRIND_REQ_MARK: {
      constexpr SizeT kLongest = 1024;
      const auto* name = reinterpret_cast<const HChar*>(a[1]);
      if (!VG_(am_is_valid_for_client)(a[1], 1, VKI_PROT_READ)) break;
      std::vector<uint64_t> words;
      pack_text({name, VG_(strnlen)(name, kLongest)}, words);
      record_buffer.append(RecordKind::kMark, serial_of(tid), words);
      break;
    }
    default: break;
  }
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
    default:
      if (args[0] < CDR_REQ_USER_FIRST || args[0] > CDRGRIND_REQ_HIDE_END) return False;
      user_request(tid, args);
  }
  return True;
}

}  // namespace cdr::tool
