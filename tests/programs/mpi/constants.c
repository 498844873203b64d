/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whether the recorder's table of a family of MPI libraries is that of the mpi.h that this is compiled with. */
#include <mpi.h>
#include <stddef.h>

#include "cdrgrind/preload/mpi_library.h"

#ifdef OPEN_MPI
#define LIBRARY cdr_open_mpi
#else
#define LIBRARY cdr_mpich
#endif

int main(void) {
  const MpiLibrary* l = &LIBRARY;
  int wrong = 0;
  (void)cdr_open_mpi, (void)cdr_mpich;
  wrong |= (l->any_source != MPI_ANY_SOURCE) << 0;
  wrong |= (l->any_tag != MPI_ANY_TAG) << 1;
  wrong |= (l->proc_null != MPI_PROC_NULL) << 2;
  wrong |= (l->root != MPI_ROOT) << 3;
  wrong |= (l->status_bytes != (int)sizeof(MPI_Status)) << 4;
  wrong |= (l->status_source != (int)offsetof(MPI_Status, MPI_SOURCE)) << 5;
  wrong |= (l->status_tag != (int)offsetof(MPI_Status, MPI_TAG)) << 6;
  wrong |= (l->status_ignore != (unsigned long)MPI_STATUS_IGNORE) << 7;
  wrong |= (l->status_ignore != (unsigned long)MPI_STATUSES_IGNORE) << 7;
  wrong |= (l->in_place != (unsigned long)MPI_IN_PLACE) << 8;
  wrong |= (l->int_handles != (sizeof(MPI_Comm) == sizeof(int))) << 9;
  wrong |= (sizeof(MPI_Request) != sizeof(MPI_Comm) || sizeof(MPI_Datatype) != sizeof(MPI_Comm)) << 10;
#ifndef OPEN_MPI
  wrong |= (l->world != (unsigned)MPI_COMM_WORLD || l->self != (unsigned)MPI_COMM_SELF) << 11;
#endif
  wrong |= (MPI_UNDEFINED >= 0) << 12;
  return wrong != 0;
}
