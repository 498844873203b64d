/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every wrapper of a function of MPI does: enter, what the call was given, the call itself, what came of it,
 * leave. Which parameter is which stands in base/mpi_calls.h.
 *
 * Invariant: between enter and leave all code is the library's, but for ours and what the library calls back. */
#ifndef CDRGRIND_PRELOAD_MPI_CALL_H
#define CDRGRIND_PRELOAD_MPI_CALL_H

#include "cdrgrind/preload/mpi_library.h"
#include "cdrgrind/preload/wrap.h"

/* `site`: the address that the call returns to. */
__attribute__((visibility("hidden"))) Word cdr_mpi_call(const MpiLibrary* library, const OrigFn* original, int call,
                                                        const char* parameters, Word site, const Word* arguments);

#endif
