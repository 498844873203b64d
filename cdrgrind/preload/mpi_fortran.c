/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of MPI's functions in Fortran, as compilers name them: they only tell from where the call comes. What it is
 * told by the C function that the binding calls (mpi.c). */
#include "cdrgrind/preload/mpi_call.h"

/* Arguments are addresses, or lengths of texts behind them. */
static Word from_fortran(const OrigFn* original, Word site, const Word* a) {
  const OrigFn fn = *original;
  const Word outer = VALGRIND_DO_CLIENT_REQUEST_EXPR(0, CDR_REQ_MPI_SITE, site, 0, 0, 0, 0);
  Word r;
  CALL_FN_W_12W(r, fn, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_MPI_SITE, outer, 0, 0, 0, 0);
  return r;
}

#define FORTRAN(number, Name, name, kind, parameters)                                                                \
  static Word fortran_##name(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, \
                             Word l) {                                                                               \
    const OrigFn fn = original();                                                                                    \
    const Word arguments[CDR_MPI_PARAMETERS] = {a, b, c, d, e, f, g, h, i, j, k, l};                                 \
    return from_fortran(&fn, (Word)__builtin_return_address(0), arguments);                                          \
  }                                                                                                                  \
  NAME_ZU(fortran_##name, libmpiZa, mpi_##name##_);                                                                  \
  NAME_ZU(fortran_##name, libmpiZa, mpi_##name##_f08_);

CDR_MPI_CALLS(FORTRAN)
