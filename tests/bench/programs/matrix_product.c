/* SPDX-License-Identifier: GPL-2.0-or-later
 * matrix_product -n ORDER -r ROUNDS -t THREADS: the product of two square matrices, rows dealt out in bands. Regular:
 * counted loops, constant strides. Right if the sum of the product's elements is what the sums of columns and rows
 * give, in every round. */
#include "tests/bench/programs/kernel.h"

static double *a, *b, *c;
static size_t n;
static int right = 1;

static void fill(size_t begin, size_t end, long round) {
  for (size_t i = begin * n; i < end * n; i++) a[i] = (double)((i + (size_t)round) % 17), b[i] = (double)(i % 13);
}

static void multiply(size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

/* All values are small whole numbers, so the sums are exact. */
static int is_right(void) {
  double want = 0, got = 0;
  for (size_t k = 0; k < n; k++) {
    double column = 0, row = 0;
    for (size_t i = 0; i < n; i++) column += a[i * n + k], row += b[k * n + i];
    want += column * row;
  }
  for (size_t i = 0; i < n * n; i++) got += c[i];
  return want == got;
}

static void work(int thread) {
  const size_t begin = part(n, thread), end = part(n, thread + 1);
  for (long round = 0; round < kernel.rounds; round++) {
    fill(begin, end, round);
    wait_for_all();
    multiply(begin, end);
    wait_for_all();
    if (thread == 0) right &= is_right();
    wait_for_all();
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, "matrix_product", 200);
  n = kernel.size;
  a = array(n * n, sizeof *a);
  b = array(n * n, sizeof *b);
  c = array(n * n, sizeof *c);
  run_team(work);
  const uint64_t result = checksum(c, n * n * sizeof *c);
  free(c);
  free(b);
  free(a);
  return finish(right, result);
}
