// SPDX-License-Identifier: GPL-2.0-or-later
// Loops of which an optimising compiler makes several, or calls of memcpy and memset; or it exchanges those of a nest.
// Which of them are not parallel stands at their lines.
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, M = 60, BINS = 64 };
static int a[N + 8], b[N + 8], c[N + 8], bins[BINS], of[N + 8];
static double m[M + 1][M + 1];

/* One loop counts, the other is made of vectors. */
static void apart(int n) {
  for (int i = 0; i < n; i++) {
    b[i] = c[i] * 2;
    bins[of[i]]++;
  }
}

/* memset, behind a loop, or behind memcpy. */
static void filled(int n) {
  for (int i = 0; i < n; i++) { /* not parallel */
    a[i] = 0;
    b[i] += a[i + 1];
  }
}

static void counted_and_filled(int n) {
  for (int i = 0; i < n; i++) { /* not parallel */
    b[i] = a[i + 1];
    bins[of[i]]++;
    a[i] = 0;
  }
}

/* memcpy, before a loop; of a size that is known, an instruction that repeats itself. */
static void copied(int n) {
  for (int i = 1; i < n; i++) { /* not parallel */
    a[i] = c[i];
    b[i] += a[i - 1];
  }
}

static void copied_at_once(void) {
  for (int i = 1; i < 500; i++) { /* not parallel */
    a[i] = c[i];
    b[i] += a[i - 1];
  }
}

/* What one loop has left, memcpy reads, and the function becomes it by a jump. */
static void left_to_copy(int n) {
  for (int i = 1; i < n; i++) { /* not parallel */
    a[i] = c[i] + 3;
    bins[of[i]]++;
    b[i] = a[i - 1];
  }
}

/* A loop for each way of the condition. */
static void two_ways(int n, int way) {
  for (int i = 0; i < n; i++) { /* not parallel */
    if (way)
      a[i] = c[i] * 3;
    else
      a[i] = a[i + 1] + 2;
  }
}

/* Walked by columns: the compiler walks by rows. */
static void by_columns(void) {
  for (int i = 1; i < M; i++) /* not parallel */
    for (int j = 1; j < M; j++)
      m[j][i] = m[j - 1][i - 1] + 1;
}

/* Nothing of it is anybody else's, though the compiler loads the next one's value ahead. */
static void reused(int n) {
  for (int i = 1; i < n; i++)
    b[i] = c[i - 1] + c[i] + c[i + 1];
}

/* The value that goes around in a register is what the source reads from memory. */
static void handed_on(int n) {
  for (int i = 0; i < n; i++) { /* not parallel */
    a[i + 1] = c[i];
    b[i] += a[i];
  }
}

__attribute__((noinline)) static double started(void) {
  static double times = 0;
  return times += 1;
}

/* Code of the second step's own leads past the loops' tests. */
__attribute__((noinline)) static double timed(double *in, double *out, int rows) {
  double since = 0;
  for (int step = 0; step <= 5; step++) {
    if (step == 1) since = started();
    for (int j = 0; j < rows; j++)
      for (int i = 0; i < rows; i++) out[j * rows + i] += in[i * rows + j];
    for (int j = 0; j < rows * rows; j++) in[j] += 1.0;
  }
  return started() - since;
}

/* memcpy, behind which a constant is loaded again by way of another register. */
int rescaled_rows = 20, rescaled_width = 100;
double **rescaled_table;
__attribute__((noinline)) static void rescaled(void) {
  for (int i = 0; i < rescaled_rows; i++) {
    double *row = rescaled_table[i];
    double own[rescaled_width];
    for (int k = 1; k < rescaled_width - 1; k++) own[k] = (row[k - 1] + row[k] + row[k + 1]) / 7.0;
    for (int k = 1; k < rescaled_width - 1; k++) row[k] = own[k];
  }
}

int main(int count, char **words) {
  (void)words;
  for (int i = 0; i < N + 8; i++) {
    c[i] = i;
    of[i] = i * 7919u % BINS;
    a[i] = i * 3;
  }
  apart(N);
  filled(N - 3);
  copied(N);
  copied_at_once();
  left_to_copy(N);
  two_ways(N, 1);
  two_ways(N, 0);
  counted_and_filled(N - 5);
  by_columns();
  reused(N);
  handed_on(N);
  static double in[2500], out[2500];
  rescaled_table = malloc(sizeof *rescaled_table * (size_t)rescaled_rows);
  for (int i = 0; i < rescaled_rows; i++) rescaled_table[i] = calloc((size_t)rescaled_width, sizeof **rescaled_table);
  rescaled();
  const double time = timed(in, out, count * 50);
  unsigned long sum = 0;
  for (int i = 0; i < N; i++) sum = sum * 31 + (unsigned)(a[i] + b[i]);
  for (int i = 0; i < BINS; i++) sum = sum * 31 + (unsigned)bins[i];
  for (int i = 0; i < M; i++) sum = sum * 31 + (unsigned long)m[i][M / 2];
  printf("%lx %g\n", sum, time);
}
