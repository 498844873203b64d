/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Programs of two ranks with a planted mistake:
 *   mistakes deadlock    both receive before they send
 *   mistakes late        rank 1 sends after long work; rank 0 receives at once
 *   mistakes receiver    rank 1 receives after long work what rank 0 sends synchronously
 *   mistakes tag         rank 0 sends with a tag that rank 1 does not receive
 *   mistakes all         late, receiver and tag
 * The lines are named in tests/e2e/mpi.sh by what stands behind them. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile unsigned sink;
static void work(void) {
  for (unsigned i = 0; i < 200000; ++i) sink += i;
}

int main(int argc, char** argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* mistake = argc > 1 ? argv[1] : "";
  if (!strcmp(mistake, "deadlock")) {
    alarm(600); /* should the test be gone */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("stuck\n"), fflush(stdout);
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* stuck */
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
  }
  const int all = !strcmp(mistake, "all");
  if (all || !strcmp(mistake, "late")) {
    if (rank == 1) {
      work();
      MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* late */
    } else {
      MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* waits */
    }
  }
  if (all || !strcmp(mistake, "receiver")) {
    if (rank == 1) {
      work();
      MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* late receiver */
    } else {
      MPI_Ssend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* waits for the receiver */
    }
  }
  if (all || !strcmp(mistake, "tag")) {
    MPI_Request request;
    if (rank == 0)
      MPI_Isend(&x, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request); /* wrong tag */
    else
      MPI_Irecv(&x, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request); /* other tag */
    MPI_Request_free(&request);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
