/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of MPI's functions in C, for both families of libraries; their names differ by the soname. C++ bindings, and
 * Fortran's, come through these, for MPI_ and PMPI_ are one function. */
#include "cdrgrind/preload/mpi_call.h"

#define MPI_WRAPPER(wrapper, library, number, parameters)                                                     \
  static Word wrapper(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, \
                      Word l) {                                                                               \
    const OrigFn fn = original();                                                                             \
    const Word arguments[CDR_MPI_PARAMETERS] = {a, b, c, d, e, f, g, h, i, j, k, l};                          \
    return cdr_mpi_call(&library, &fn, number, parameters, (Word)__builtin_return_address(0), arguments);     \
  }                                                                                                           \
  typedef int wrapper_is_##wrapper

#define BOTH(number, Name, name, kind, parameters)                \
  MPI_WRAPPER(open_mpi_##Name, cdr_open_mpi, number, parameters); \
  NAME_ZU(open_mpi_##Name, libmpiZdsoZdZa0, MPI_##Name);          \
  MPI_WRAPPER(mpich_##Name, cdr_mpich, number, parameters);       \
  NAME_ZU(mpich_##Name, libmpichZdsoZa, MPI_##Name);              \
  NAME_ZU(mpich_##Name, libmpiZdsoZd12, MPI_##Name);

CDR_MPI_CALLS(BOTH)
