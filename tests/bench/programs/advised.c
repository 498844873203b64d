/* SPDX-License-Identifier: GPL-2.0-or-later
 * Five kernels without threads, each with a loop of which `cdrgrind advise` tells what two threads would bring. advised.py
 * puts its lines for OpenMP here and compares.
 *
 *     advised KERNEL SIZE ROUNDS   prints the kernel's result, and its seconds on standard error
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int size, rounds;
static double *first, *second, *third;

static double at(const double *m, int i, int j) { return m[(size_t)i * (size_t)size + (size_t)j]; }
static double *place(double *m, int i, int j) { return &m[(size_t)i * (size_t)size + (size_t)j]; }

/* The sum of products, row by row. */
static double product(void) {
  int i, j, k;
  for (i = 0; i < size; i++)
    for (j = 0; j < size; j++) {
      double sum = 0;
      for (k = 0; k < size; k++) sum += at(first, i, k) * at(second, k, j);
      *place(third, i, j) = sum;
    }
  return at(third, size - 1, size / 2);
}

/* Each point becomes the mean of its neighbours, in another array. */
static double stencil(void) {
  for (int i = 1; i < size - 1; i++)
    for (int j = 1; j < size - 1; j++)
      *place(second, i, j) = (at(first, i - 1, j) + at(first, i + 1, j) + at(first, i, j - 1) + at(first, i, j + 1)) / 4;
  double *const old = first;
  first = second;
  second = old;
  return at(first, size / 2, size / 2);
}

/* The energy of all pairs. */
static double pairs(void) {
  double energy = 0, dx, dy;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      dx = first[i] - first[j];
      dy = second[i] - second[j];
      energy += 1 / (dx * dx + dy * dy + 0.01);
    }
  return energy;
}

/* How long points stay near: the rows in the middle take longest. */
static double escapes(void) {
  long steps = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      const double a = 3.0 * j / size - 2, b = 2.0 * i / size - 1;
      double x = 0, y = 0;
      for (int n = 0; n < 100; n++) {
        const double next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
        if (x * x + y * y < 4) steps++;
        if (x * x + y * y > 1e6) x = y = 1e3;
      }
    }
  return (double)steps;
}

/* A triangle: the last rows have most of it. */
static double triangle(void) {
  double sum = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) sum += at(first, i, j) * at(second, j, i);
  return sum;
}

static const struct {
  const char *name;
  double (*run)(void);
} kernels[] = {
    {"product", product}, {"stencil", stencil}, {"pairs", pairs}, {"escapes", escapes}, {"triangle", triangle}};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  size = argc == 4 ? atoi(argv[2]) : 0;
  rounds = argc == 4 ? atoi(argv[3]) : 0;
  if (size < 2 || rounds < 1) {
    fprintf(stderr, "usage: advised KERNEL SIZE ROUNDS\n");
    return 2;
  }
  const size_t count = (size_t)size * (size_t)size;
  first = malloc(count * sizeof *first);
  second = malloc(count * sizeof *second);
  third = malloc(count * sizeof *third);
  if (!first || !second || !third) return 1;
  for (size_t n = 0; n < count; n++) {
    first[n] = (double)(n % 97) / 97;
    second[n] = (double)(n % 89) / 89;
    third[n] = 0;
  }
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    if (strcmp(kernels[k].name, argv[1]) != 0) continue;
    double result = 0;
    const double begin = seconds();
    for (int r = 0; r < rounds; r++) result += kernels[k].run();
    fprintf(stderr, "%.6f\n", seconds() - begin);
    printf("%s %.9g\n", argv[1], result);
    return 0;
  }
  fprintf(stderr, "advised: no such kernel\n");
  return 2;
}
