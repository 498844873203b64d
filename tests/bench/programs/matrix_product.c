/* SPDX-License-Identifier: GPL-2.0-or-later
 * matrix_product N ROUNDS: the product of two N by N matrices. Regular: counted loops, constant strides. Right if
 * the sum of the product's elements is what the sums of columns and rows give. */
#include <stdio.h>
#include <stdlib.h>

static void multiply(size_t n, const double* a, const double* b, double* c) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

/* All values are small whole numbers, so the sums are exact. */
static int is_right(size_t n, const double* a, const double* b, const double* c) {
  double want = 0, got = 0;
  for (size_t k = 0; k < n; k++) {
    double column = 0, row = 0;
    for (size_t i = 0; i < n; i++) column += a[i * n + k], row += b[k * n + i];
    want += column * row;
  }
  for (size_t i = 0; i < n * n; i++) got += c[i];
  return want == got;
}

int main(int argc, char** argv) {
  const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 20;
  const int rounds = argc > 2 ? atoi(argv[2]) : 1;
  double* const a = malloc(n * n * sizeof *a);
  double* const b = malloc(n * n * sizeof *b);
  double* const c = malloc(n * n * sizeof *c);
  for (int round = 0; round < rounds; round++) {
    for (size_t i = 0; i < n * n; i++) a[i] = (double)((i + (size_t)round) % 17), b[i] = (double)(i % 13);
    multiply(n, a, b, c);
    if (!is_right(n, a, b, c)) return fprintf(stderr, "matrix_product: wrong\n"), 1;
  }
  free(c);
  free(b);
  free(a);
  return 0;
}
