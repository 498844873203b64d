/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What differs between the two families of MPI libraries, and what the wrappers ask the program's own library. Built
 * without any mpi.h: tests/programs/mpi/constants.c compares the table with that of each library. */
#ifndef CDRGRIND_PRELOAD_MPI_LIBRARY_H
#define CDRGRIND_PRELOAD_MPI_LIBRARY_H

#include "cdrgrind/base/mpi_calls.h"

typedef struct {
  int library; /* CDR_MPI_OPEN_MPI … */
  int int_handles;
  int any_source, any_tag, proc_null, root;
  int status_bytes, status_source, status_tag; /* size of an MPI_Status, offsets in it */
  unsigned long status_ignore, in_place;
  unsigned long world, self; /* handles, if they are constants */
} MpiLibrary;

static const MpiLibrary cdr_open_mpi = {CDR_MPI_OPEN_MPI, 0, -1, -1, -2, -4, 24, 0, 4, 0, 1, 0, 0};
static const MpiLibrary cdr_mpich = {CDR_MPI_MPICH, 1, -2, -1, -1, -3, 20, 8, 12, 1, -1UL, 0x44000000, 0x44000001};

#endif
