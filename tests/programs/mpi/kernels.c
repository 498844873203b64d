/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Communication kernels like those of the NAS parallel benchmarks, with loop nests that are known:
 *   kernels lu PLANES ITERATIONS       wavefronts on a grid: on each rank with neighbours on all sides
 *                                      ((4)^PLANES + (4)^PLANES + 12)^ITERATIONS
 *   kernels sweep STAGES ITERATIONS    as BT and SP: (13 + (4)^STAGES six times)^ITERATIONS
 *   kernels cg STEPS ITERATIONS        conjugate gradients: ((3 + 9 log2 of the columns)^STEPS + ...)^ITERATIONS
 *   kernels mg LEVELS ITERATIONS       multigrid: six calls a level down and up, and a norm
 *   kernels is ITERATIONS              integer sort: three collectives
 *   kernels all                        lu 5 4, sweep 3 4, cg 5 3, mg 2 3 and is 3, with a barrier behind each
 * Each prints a number that all of its messages go into. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;
static double value;

/* The largest divisor that is not above the root. */
static int rows_of(int n) {
  int rows = 1;
  for (int d = 1; d * d <= n; ++d)
    if (n % d == 0) rows = d;
  return rows;
}

static void get(int from, int tag) {
  double x = 0;
  if (from < 0) return;
  MPI_Recv(&x, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  value += x / 2;
}
static void give(int to, int tag) {
  if (to < 0) return;
  MPI_Send(&value, 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
}

static void lu(int planes, int iterations) {
  const int rows = rows_of(ranks), columns = ranks / rows, row = rank / columns, column = rank % columns;
  const int north = row > 0 ? rank - columns : -1, south = row < rows - 1 ? rank + columns : -1;
  const int west = column > 0 ? rank - 1 : -1, east = column < columns - 1 ? rank + 1 : -1;
  const int sides[4] = {north, south, west, east};
  for (int i = 0; i < iterations; ++i) {
    for (int k = 0; k < planes; ++k) get(north, 1), get(west, 1), give(south, 1), give(east, 1);
    for (int k = 0; k < planes; ++k) get(south, 2), get(east, 2), give(north, 2), give(west, 2);
    for (int s = 0; s < 4; ++s) {
      MPI_Request request;
      double x[8] = {0};
      if (sides[s] < 0) continue;
      MPI_Irecv(x, 8, MPI_DOUBLE, sides[s], 3, MPI_COMM_WORLD, &request);
      double mine[8] = {value};
      MPI_Send(mine, 8, MPI_DOUBLE, sides[s], 3, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      value += x[0] / 4;
    }
  }
}

static int around(int offset) { return ((rank + offset) % ranks + ranks) % ranks; }

static void sweep(int stages, int iterations) {
  for (int i = 0; i < iterations; ++i) {
    MPI_Request requests[12];
    double in[6] = {0}, out[6];
    for (int s = 0; s < 6; ++s) {
      const int offset = (s / 2 + 1) * (s % 2 ? 1 : -1);
      out[s] = value;
      MPI_Irecv(&in[s], 1, MPI_DOUBLE, around(-offset), s, MPI_COMM_WORLD, &requests[s]);
    }
    for (int s = 0; s < 6; ++s) {
      const int offset = (s / 2 + 1) * (s % 2 ? 1 : -1);
      MPI_Isend(&out[s], 1, MPI_DOUBLE, around(offset), s, MPI_COMM_WORLD, &requests[6 + s]);
    }
    MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
    for (int s = 0; s < 6; ++s) value += in[s] / 16;
    for (int s = 0; s < 6; ++s) {
      const int offset = (s / 2 + 1) * (s % 2 ? 1 : -1);
      for (int k = 0; k < stages; ++k) {
        MPI_Request receive, send;
        double x = 0, mine = value;
        MPI_Irecv(&x, 1, MPI_DOUBLE, around(-offset), 10 + s, MPI_COMM_WORLD, &receive);
        MPI_Isend(&mine, 1, MPI_DOUBLE, around(offset), 10 + s, MPI_COMM_WORLD, &send);
        MPI_Wait(&receive, MPI_STATUS_IGNORE);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        value += x / 32;
      }
    }
  }
}

static void swap_with(int peer, int count) {
  MPI_Request request;
  double in[4] = {0}, out[4] = {value};
  MPI_Irecv(in, count, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, &request);
  MPI_Send(out, count, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  value += in[0] / 8;
}

/* On a power of two of ranks; sums go by the bits of the column. */
static void cg(int steps, int iterations) {
  const int columns = ranks / rows_of(ranks);
  for (int i = 0; i < iterations; ++i) {
    for (int k = 0; k < steps; ++k) {
      for (int bit = 1; bit < columns; bit *= 2) swap_with(rank ^ bit, 4);
      swap_with(rank ^ (ranks - 1), 2);
      for (int bit = 1; bit < columns; bit *= 2) swap_with(rank ^ bit, 1);
      for (int bit = 1; bit < columns; bit *= 2) swap_with(rank ^ bit, 1);
    }
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    value = sum / ranks;
  }
}

static void level(int distance) {
  MPI_Request requests[2];
  double in[2] = {0}, out = value;
  MPI_Irecv(&in[0], 1, MPI_DOUBLE, around(-distance), distance, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_DOUBLE, around(distance), distance + 100, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&out, 1, MPI_DOUBLE, around(distance), distance, MPI_COMM_WORLD);
  MPI_Send(&out, 1, MPI_DOUBLE, around(-distance), distance + 100, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  value += (in[0] + in[1]) / 8;
}

static void mg(int levels, int iterations) {
  for (int i = 0; i < iterations; ++i) {
    for (int l = 0; l < levels; ++l) level(1 << l);
    for (int l = levels - 1; l >= 0; --l) level(1 << l);
    double norm = 0;
    MPI_Allreduce(&value, &norm, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    value = norm / 2 + rank;
  }
}

static void is(int iterations) {
  int buckets[64] = {0}, sums[64], counts[64], received[64], from[64], to[64], keys[64] = {0}, sorted[64];
  if (ranks > 64) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < iterations; ++i) {
    for (int b = 0; b < 64; ++b) buckets[b] = rank + b + i;
    MPI_Allreduce(buckets, sums, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; ++r) counts[r] = 1, from[r] = to[r] = r, keys[r] = rank * ranks + r + i;
    MPI_Alltoall(counts, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(keys, counts, from, MPI_INT, sorted, received, to, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; ++r) value += sorted[r] + sums[r] / 1000.0;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* kernel = argc > 1 ? argv[1] : "";
  const int a = argc > 2 ? atoi(argv[2]) : 1, b = argc > 3 ? atoi(argv[3]) : 1;
  value = (rank + 1) / 1024.0;
  if (!strcmp(kernel, "lu")) lu(a, b);
  if (!strcmp(kernel, "sweep")) sweep(a, b);
  if (!strcmp(kernel, "cg")) cg(a, b);
  if (!strcmp(kernel, "mg")) mg(a, b);
  if (!strcmp(kernel, "is")) is(a);
  if (!strcmp(kernel, "all")) {
    lu(5, 4), MPI_Barrier(MPI_COMM_WORLD);
    sweep(3, 4), MPI_Barrier(MPI_COMM_WORLD);
    cg(5, 3), MPI_Barrier(MPI_COMM_WORLD);
    mg(2, 3), MPI_Barrier(MPI_COMM_WORLD);
    is(3), MPI_Barrier(MPI_COMM_WORLD);
  }
  double sum = 0;
  MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\n", sum);
  MPI_Finalize();
  return 0;
}
