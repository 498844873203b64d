// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/requests.h"

#include <vector>

#include "cdrgrind/base/requests.h"
#include "cdrgrind/drain/superblock_words.h"
#include "cdrgrind/tool/heap.h"
#include "cdrgrind/tool/monitor.h"
#include "cdrgrind/tool/mpi.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/sync.h"
#include "cdrgrind/tool/threads.h"
#include "include/cdrgrind/cdrgrind.h"

namespace cdr::tool {
namespace {

using drain::pack_text;

// Those of valgrind/helgrind.h; valgrind/drd.h has the same numbers.
constexpr UWord kAnnotateHappensBefore = VG_USERREQ_TOOL_BASE('H', 'G') + 256 + 33;
constexpr UWord kAnnotateHappensAfter = VG_USERREQ_TOOL_BASE('H', 'G') + 256 + 34;

void mark(::ThreadId tid, Addr text) {
  constexpr SizeT kLongest = 1024;
  if (!VG_(am_is_valid_for_client)(text, 1, VKI_PROT_READ)) return;
  const auto* name = reinterpret_cast<const HChar*>(text);
  std::vector<uint64_t> words;
  pack_text({name, VG_(strnlen)(name, kLongest)}, words);
  record_buffer.append(RecordKind::kMark, serial_of(tid), words);
}

// Of include/cdrgrind/cdrgrind.h.
bool user_request(::ThreadId tid, const UWord* a) {
  switch (a[0]) {
    case CDRGRIND_REQ_START_RECORDING:
      record_buffer.append(RecordKind::kCollect, serial_of(tid), {1});
      return true;
    case CDRGRIND_REQ_STOP_RECORDING:
      record_buffer.append(RecordKind::kCollect, serial_of(tid), {0});
      return true;
    case CDRGRIND_REQ_MARK:
      mark(tid, a[1]);
      return true;
    case kAnnotateHappensBefore:
    case CDRGRIND_REQ_HAPPENS_BEFORE:
      sync_mark(tid, SyncOp::kHappensBefore, a[1]);
      return true;
    case kAnnotateHappensAfter:
    case CDRGRIND_REQ_HAPPENS_AFTER:
      sync_mark(tid, SyncOp::kHappensAfter, a[1]);
      return true;
    case CDRGRIND_REQ_HIDE_BEGIN:
      hide_begin(tid);
      return true;
    case CDRGRIND_REQ_HIDE_END:
      hide_end(tid);
      return true;
    default:
      return false;
  }
}

bool is_ours(UWord request) {
  return VG_IS_TOOL_USERREQ('C', 'D', request) || request == kAnnotateHappensBefore || request == kAnnotateHappensAfter;
}

}  // namespace

Bool handle_request(::ThreadId tid, UWord* args, UWord* result) {
  if (args[0] == VG_USERREQ__GDB_MONITOR_COMMAND) {
    const bool ours = handle_monitor_command(reinterpret_cast<const HChar*>(args[1]));
    *result = ours;
    return ours;
  }
  if (!is_ours(args[0])) return False;
  *result = args[0] == CDR_REQ_SYNC_ENTER ? args[1] : 0;
  if (!serial_of(tid)) return True;
  settle_thread_state();
  switch (args[0]) {
    case CDR_REQ_SYNC_ENTER:
      *result = sync_enter(tid, args);
      return True;
    case CDR_REQ_SYNC_LEAVE:
      sync_leave(tid, args);
      return True;
    case CDR_REQ_SYNC_UNWOUND:
      sync_unwound(tid, args);
      return True;
    case CDR_REQ_HEAP_ENTER:
      heap_enter(tid, args[1], args[2]);
      return True;
    case CDR_REQ_HEAP_LEAVE:
      heap_leave(tid, args[1], args[2], args[3], args[4]);
      return True;
    case CDR_REQ_HEAP_UNWOUND:
      heap_unwound(tid);
      return True;
    case CDR_REQ_MPI_ENTER:
      *result = mpi_enter(tid, args);
      return True;
    case CDR_REQ_MPI_WORDS:
      mpi_words(tid, args);
      return True;
    case CDR_REQ_MPI_LEAVE:
      mpi_leave(tid, args);
      return True;
    case CDR_REQ_MPI_SITE:
      *result = mpi_site(tid, args[1]);
      return True;
    default:
      return user_request(tid, args);
  }
}

}  // namespace cdr::tool

ULong cdr_request_from_code(VexGuestAMD64State* guest) {
  auto* const args = reinterpret_cast<UWord*>(guest->guest_RAX);
  if (!cdr::tool::is_ours(args[0])) return 1;
  return cdr::tool::handle_request(VG_(get_running_tid)(), args, reinterpret_cast<UWord*>(&guest->guest_RDX)) ? 0 : 1;
}
