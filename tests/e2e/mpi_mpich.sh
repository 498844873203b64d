# SPDX-License-Identifier: GPL-2.0-or-later
# MPI programs on MPICH: as on Open MPI (mpi_openmpi.sh).
mpi=mpich
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/mpi_lib.sh"

test_mpi 2 is 3

# Nothing of it, if one does not want it.
vg -q --deps=no --cdr-data=none --cdr-mpi=no --cdr-out-file=off.trace ./mistakes none
refused 3 'no calls of MPI' mpi off.trace

other_launcher "Open MPI's mpirun has started 2 ranks, but the program is linked with MPICH" \
  OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
