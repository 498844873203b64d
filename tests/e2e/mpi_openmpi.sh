# SPDX-License-Identifier: GPL-2.0-or-later
# MPI programs on Open MPI: recorded under its mpirun, they do what they do without, and `cdrgrind mpi` tells how.
mpi=openmpi
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/mpi_lib.sh"

test_mpi 4 lu 3 2

other_launcher "MPICH's mpirun.* has started 2 ranks, but the program is linked with Open MPI" PMI_RANK=0 PMI_SIZE=2
