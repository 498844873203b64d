// SPDX-License-Identifier: GPL-2.0-or-later
// Threads by serial number, turns, signals: everything that Valgrind tells of them, as records.
#ifndef CDRGRIND_TOOL_THREADS_H
#define CDRGRIND_TOOL_THREADS_H

#include "cdrgrind/base/id.h"
#include "cdrgrind/drain/stream_start.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// `::ThreadId` is Valgrind's, reused at once; `cdr::ThreadId` is the serial number.
cdr::ThreadId serial_of(::ThreadId tid);
// The thread that ran last; none before the first instruction.
cdr::ThreadId running_thread();
// How many turns have begun: whether another thread has run meanwhile.
uint64_t turns_begun();
// Threads that have been announced and not yet run.
uint32_t threads_starting();
// Whether generated code is running, or would go on where it stands.
bool in_client_code();
// The serial of the latest thread with this pthread_t; none if unknown.
cdr::ThreadId thread_of_pthread(uint64_t pthread);
// The creator knows the pthread_t before the thread's first instruction.
void name_thread(uint64_t pthread, cdr::ThreadId serial);
// Main's pthread_t is there only after the start-up of the C library.
void name_main_thread(::ThreadId tid);

// To be called before anything is recorded outside generated code: completes a block that a fault stopped
// and signals whose handler is about to run.
void settle_thread_state();

// In a forked child: the one thread that goes on is thread 1 from now on. The child's first record.
void keep_forking_thread(::ThreadId tid, const drain::Process& child);

// Kept per Valgrind thread for the other parts.
struct ThreadExtra {
  int heap_depth = 0;
  Addr heap_sp = 0;      // of the outermost wrapper of the heap that is under way
  uint64_t resized = 0;  // the block that it resizes
  uint32_t hide_depth = 0;
  bool in_runtime = false;  // of a parallel one, not in code of the program that it calls
  uint32_t mpi_call = 0;    // number of the function that is under way, and where its wrapper's frame is
  Addr mpi_frame = 0;
  Addr mpi_site = 0;       // where the next call comes from, if that is told
  bool mpi_outer = false;  // in_runtime before it
  cdr::ThreadId created;   // the last one by this thread
  cdr::ThreadId other;     // of the join or detach that is under way
};
// Before a system call that may start a thread: Valgrind holds so many at a time, and ends the process at one more.
void warn_of_thread_limit(UWord clone_flags);
ThreadExtra& thread_extra(::ThreadId tid);

void register_thread_callbacks();

}  // namespace cdr::tool

#endif
