# SPDX-License-Identifier: GPL-2.0-or-later
# All kernels of tests/programs/mpi on 2, 4 and 8 ranks, with Open MPI and with MPICH.
. "$top_srcdir/tests/e2e/common.sh"

for mpi in openmpi mpich; do
  . "$top_srcdir/tests/e2e/mpi_lib.sh"
  must_run
  for n in 2 4 8; do
    echo "$mpi, $n ranks"
    rm -f kernels.?
    test_kernels $n
  done
done
