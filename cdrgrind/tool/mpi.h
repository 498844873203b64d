// SPDX-License-Identifier: GPL-2.0-or-later
// Calls of MPI, as the preload tells them. The outermost one counts: bindings call each other. While it is under way
// the thread is in a runtime, as in that of OpenMP (sync.h): what it does by itself is not logged.
#ifndef CDRGRIND_TOOL_MPI_H
#define CDRGRIND_TOOL_MPI_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// The requests of base/requests.h.
UWord mpi_enter(::ThreadId tid, const UWord* args);
void mpi_words(::ThreadId tid, const UWord* args);
void mpi_leave(::ThreadId tid, const UWord* args);
UWord mpi_site(::ThreadId tid, Addr site);

// A jump may have left the call that was under way.
void settle_mpi(::ThreadId tid);
// In a call of MPI, whether a wrapper was called by the program's own code: outside the system's library folders.
bool called_back_by_mpi(::ThreadId tid);

}  // namespace cdr::tool

#endif
