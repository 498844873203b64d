/* SPDX-License-Identifier: GPL-2.0-or-later
 * lu -n ORDER (a multiple of 16) -l blocks|rows -r ROUNDS -t THREADS: a dense matrix into a lower and an upper
 * triangle, block by block; blocks are dealt out to threads as on a chessboard, with barriers between the three
 * steps of each block column. With -l blocks every block is contiguous, with -l rows the matrix lies row by row.
 * Regular. Right if the product of the triangles times a vector is the matrix times that vector. */
#include "tests/bench/programs/kernel.h"

enum { edge = 16 }; /* of a block */

static double* matrix;
static size_t order, blocks, stride; /* of a row within a block */
static int rows_of_threads, columns_of_threads;

static double* block(size_t row, size_t column) {
  return stride == edge ? matrix + (row * blocks + column) * edge * edge : matrix + row * edge * order + column * edge;
}

static double element(size_t row, size_t column) {
  return block(row / edge, column / edge)[row % edge * stride + column % edge];
}

/* What the matrix is before: random, with a diagonal that needs no pivots. */
static double given(size_t row, size_t column) {
  return scrambled_real((uint32_t)(row * order + column)) + (row == column ? (double)order : 0);
}

static int is_mine(size_t row, size_t column, int thread) {
  return (int)(row % (size_t)rows_of_threads) * columns_of_threads + (int)(column % (size_t)columns_of_threads) ==
         thread;
}

static void fill(double* to, size_t row, size_t column) {
  for (size_t i = 0; i < edge; i++)
    for (size_t j = 0; j < edge; j++) to[i * stride + j] = given(row * edge + i, column * edge + j);
}

static void factor(double* a) {
  for (size_t k = 0; k < edge; k++)
    for (size_t i = k + 1; i < edge; i++) {
      const double quotient = a[i * stride + k] /= a[k * stride + k];
      for (size_t j = k + 1; j < edge; j++) a[i * stride + j] -= quotient * a[k * stride + j];
    }
}

/* a becomes (lower triangle of d)^-1 a. */
static void divide_by_lower(double* a, const double* d) {
  for (size_t k = 0; k < edge; k++)
    for (size_t i = k + 1; i < edge; i++)
      for (size_t j = 0; j < edge; j++) a[i * stride + j] -= d[i * stride + k] * a[k * stride + j];
}

/* a becomes a (upper triangle of d)^-1. */
static void divide_by_upper(double* a, const double* d) {
  for (size_t i = 0; i < edge; i++)
    for (size_t k = 0; k < edge; k++) {
      const double quotient = a[i * stride + k] /= d[k * stride + k];
      for (size_t j = k + 1; j < edge; j++) a[i * stride + j] -= quotient * d[k * stride + j];
    }
}

/* c loses a b. */
static void subtract_product(double* c, const double* a, const double* b) {
  for (size_t i = 0; i < edge; i++)
    for (size_t k = 0; k < edge; k++) {
      const double factor = a[i * stride + k];
      for (size_t j = 0; j < edge; j++) c[i * stride + j] -= factor * b[k * stride + j];
    }
}

static void divide_border(size_t k, int thread) {
  for (size_t other = k + 1; other < blocks; other++) {
    if (is_mine(k, other, thread)) divide_by_lower(block(k, other), block(k, k));
    if (is_mine(other, k, thread)) divide_by_upper(block(other, k), block(k, k));
  }
}

static void subtract_inside(size_t k, int thread) {
  for (size_t i = k + 1; i < blocks; i++)
    for (size_t j = k + 1; j < blocks; j++)
      if (is_mine(i, j, thread)) subtract_product(block(i, j), block(i, k), block(k, j));
}

static void decompose(int thread) {
  for (long round = 0; round < kernel.rounds; round++) {
    for (size_t i = 0; i < blocks; i++)
      for (size_t j = 0; j < blocks; j++)
        if (is_mine(i, j, thread)) fill(block(i, j), i, j);
    for (size_t k = 0; k < blocks; k++) {
      if (is_mine(k, k, thread)) factor(block(k, k));
      wait_for_all();
      divide_border(k, thread);
      wait_for_all();
      subtract_inside(k, thread);
    }
    wait_for_all();
  }
}

static double times_vector(size_t row, const double* vector) {
  double sum = 0;
  for (size_t j = 0; j < order; j++) sum += given(row, j) * vector[j];
  return sum;
}

static int is_right(void) {
  double* const vector = array(order, sizeof *vector);
  double* const upper = array(order, sizeof *upper); /* the upper triangle times the vector */
  int right = 1;
  for (size_t i = 0; i < order; i++) vector[i] = 1 + (double)(i % 7);
  for (size_t i = 0; i < order; i++)
    for (size_t j = i; j < order; j++) upper[i] += element(i, j) * vector[j];
  for (size_t i = 0; i < order; i++) {
    double sum = upper[i];
    for (size_t j = 0; j < i; j++) sum += element(i, j) * upper[j];
    const double error = sum - times_vector(i, vector), limit = 1e-12 * (double)(order * order);
    right &= error < limit && -error < limit;
  }
  free(upper);
  free(vector);
  return right;
}

int main(int argc, char** argv) {
  begin(argc, argv, "lu", 256);
  if (!*kernel.layout) kernel.layout = "blocks";
  order = kernel.size;
  blocks = order / edge;
  stride = strcmp(kernel.layout, "rows") == 0 ? order : edge;
  if (order % edge) give_up("-n is not a multiple of 16");
  if (stride == edge && strcmp(kernel.layout, "blocks")) give_up("-l is neither blocks nor rows");
  for (int r = 1; r * r <= kernel.threads; r++)
    if (kernel.threads % r == 0) rows_of_threads = r;
  columns_of_threads = kernel.threads / rows_of_threads;
  matrix = array(order * order, sizeof *matrix);
  run_team(decompose);
  const int right = is_right();
  const uint64_t result = checksum(matrix, order * order * sizeof *matrix);
  free(matrix);
  return finish(right, result);
}
