/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls what tests/programs/mpi/kernels.c does not: all modes, persistent requests, probes, wildcards, communicators,
 * collectives in place and without blocking, one-sided communication; a reduction with a function of the program, which
 * takes a lock. For two ranks or more. All messages are matched. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int rank, ranks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls_of_sum;

static void sum(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < *n; ++i) ((int*)inout)[i] += ((int*)in)[i];
  ++calls_of_sum;
  pthread_mutex_unlock(&lock);
}

static void modes(void) {
  char room[4096];
  int x = rank, size = sizeof room;
  void* gone;
  MPI_Status status;
  MPI_Request requests[4];
  MPI_Buffer_attach(room, size);
  if (rank == 0) {
    MPI_Bsend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Ssend(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Isend(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibsend(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Issend(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&x, 0, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  } else if (rank == 1) {
    int index, done = 0, count, indices[4];
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    MPI_Recv(&x, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD, &status);
    for (int t = 3; t < 6; ++t)
      MPI_Irecv(&x, 1, MPI_INT, t == 4 ? MPI_ANY_SOURCE : 0, t, MPI_COMM_WORLD, &requests[t - 3]);
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
    while (!done) MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
  }
  MPI_Buffer_detach(&gone, &size);
  if (rank < 2) {
    const int other = 1 - rank;
    int y = 0, flag = 0;
    MPI_Message message;
    MPI_Sendrecv(&x, 1, MPI_INT, other, 6, &y, 1, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, other, 7, other, 7, MPI_COMM_WORLD, &status);
    MPI_Isend(&x, 1, MPI_INT, other, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Mprobe(other, 8, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(&y, 1, MPI_INT, &message, &status);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Isend(&x, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &requests[0]);
    while (!flag) MPI_Iprobe(other, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&y, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
}

static void persistent(void) {
  MPI_Request requests[2];
  int in = 0, out = rank;
  MPI_Recv_init(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 20, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % ranks, 20, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 5; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Start(&requests[1]);
  MPI_Start(&requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void communicators(void) {
  MPI_Comm half, copy, later, grid, row;
  MPI_Request made;
  const int dims[2] = {ranks, 1}, periods[2] = {1, 1}, keep[2] = {1, 0};
  int in = 0, out = rank, mine, size;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Comm_rank(half, &mine);
  MPI_Comm_size(half, &size);
  MPI_Sendrecv(&out, 1, MPI_INT, (mine + 1) % size, 30, &in, 1, MPI_INT, (mine + size - 1) % size, 30, half,
               MPI_STATUS_IGNORE);
  MPI_Comm_idup(half, &later, &made);
  MPI_Wait(&made, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&out, 1, MPI_INT, (mine + 1) % size, 31, &in, 1, MPI_INT, (mine + size - 1) % size, 31, later,
               MPI_STATUS_IGNORE);
  MPI_Comm_free(&later);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Bcast(&out, 1, MPI_INT, 0, copy);
  MPI_Cart_create(copy, 2, dims, periods, 0, &grid);
  MPI_Cart_sub(grid, keep, &row);
  MPI_Barrier(row);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
}

static void collectives(void) {
  int x[64] = {0}, y[64] = {0}, total = rank;
  MPI_Op op;
  MPI_Request requests[2];
  MPI_Op_create(sum, 1, &op);
  MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  if (rank == 0)
    MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, x, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Gather(&rank, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Scatter(x, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  else
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, y, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allgather(&rank, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Scan(&rank, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&rank, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (rank == 0) printf("%d %d %d\n", total, x[ranks - 1], y[0]);
}

static void one_sided(void) {
  MPI_Win window;
  int *memory, x = rank;
  MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&x, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
  MPI_Get(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_unlock(0, window);
  MPI_Win_free(&window);
}

int main(int argc, char** argv) {
  int got;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &got);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  modes();
  persistent();
  communicators();
  collectives();
  one_sided();
  MPI_Finalize();
  return 0;
}
