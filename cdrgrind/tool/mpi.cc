// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/mpi.h"

#include <string_view>

#include "cdrgrind/base/mpi_calls.h"
#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/rank.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

void end_call(ThreadExtra& extra) {
  extra.mpi_call = 0;
  extra.in_runtime = extra.mpi_outer;
}

// The library counts one rank where the launcher has started several: it has another launcher.
void compare_with_launcher(const UWord* words, UWord count) {
  const LauncherRank launcher = rank_of_launcher();
  const HChar* library = "MPI's library";
  UWord ranks = 0;
  for (UWord at = 0; at < count; at += 1 + (words[at] >> 8)) {
    const UWord key = words[at] & 0xff, values = words[at] >> 8;
    if (at + values >= count) break;
    if (key == CDR_MPI_LIBRARY && values > 0) library = words[at + 1] == CDR_MPI_OPEN_MPI ? "Open MPI" : "MPICH";
    if (key == CDR_MPI_SELF && values > 1) ranks = words[at + 2];
  }
  if (!launcher.ranks || ranks != 1 || VG_(strtoull10)(launcher.ranks, nullptr) < 2) return;
  if (VG_(strtoull10)(launcher.rank, nullptr) != 0) return;
  VG_(umsg)
  ("cdrgrind: error: %s has started %s ranks, but the program is linked with %s, which knows of one only: start it "
   "with "
   "the launcher of that library (mpirun.openmpi, mpirun.mpich)\n",
   launcher.launcher, launcher.ranks, library);
}

bool in_library_folder(std::string_view path) {
  for (const std::string_view folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/libexec/"})
    if (path.starts_with(folder)) return true;
  return false;
}

}  // namespace

void settle_mpi(::ThreadId tid) {
  ThreadExtra& extra = thread_extra(tid);
  if (!extra.mpi_call || VG_(get_SP)(tid) <= extra.mpi_frame) return;
  record_buffer.append(RecordKind::kMpiLeave, serial_of(tid), {extra.mpi_call, ~uint64_t{0}});
  end_call(extra);
}

UWord mpi_enter(::ThreadId tid, const UWord* a) {
  settle_mpi(tid);
  ThreadExtra& extra = thread_extra(tid);
  if (!options.mpi || extra.mpi_call || a[1] == 0 || a[1] >= CDR_MPI_CALL_COUNT) return 0;
  extra.mpi_call = static_cast<uint32_t>(a[1]);
  extra.mpi_frame = a[3];
  extra.mpi_outer = extra.in_runtime;
  extra.in_runtime = true;
  record_buffer.append(RecordKind::kMpiEnter, serial_of(tid), {a[1], extra.mpi_site ? extra.mpi_site : a[2]});
  return 1;
}

void mpi_words(::ThreadId tid, const UWord* a) {
  constexpr UWord kMost = 4096;
  const ThreadExtra& extra = thread_extra(tid);
  const auto* const words = reinterpret_cast<const UWord*>(a[2]);
  if (!extra.mpi_call || a[3] == 0 || a[3] > kMost) return;
  if (!VG_(am_is_valid_for_client)(a[2], a[3] * sizeof(UWord), VKI_PROT_READ)) return;
  record_buffer.append(RecordKind::kMpiWords, serial_of(tid), std::span<const uint64_t>(&a[1], 1),
                       std::span<const uint64_t>(words, a[3]));
  if (extra.mpi_call <= 2 && a[1] == CDR_MPI_IS_RESULT) compare_with_launcher(words, a[3]);
}

void mpi_leave(::ThreadId tid, const UWord* a) {
  ThreadExtra& extra = thread_extra(tid);
  if (extra.mpi_call != a[1]) return;
  record_buffer.append(RecordKind::kMpiLeave, serial_of(tid), {a[1], a[2]});
  end_call(extra);
}

UWord mpi_site(::ThreadId tid, Addr site) {
  settle_mpi(tid);
  Addr& told = thread_extra(tid).mpi_site;
  const Addr before = told;
  told = site;
  return before;
}

bool called_back_by_mpi(::ThreadId tid) {
  if (!thread_extra(tid).mpi_call) return false;
  Addr frames[2];  // of the wrapper, of who called it
  const HChar* object = nullptr;
  if (VG_(get_StackTrace)(tid, frames, 2, nullptr, nullptr, 0) < 2) return false;
  return VG_(get_objname)(VG_(current_DiEpoch)(), frames[1], &object) && !in_library_folder(view(object));
}

}  // namespace cdr::tool
