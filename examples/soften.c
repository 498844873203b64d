/* SPDX-License-Identifier: GPL-2.0-or-later
 * A picture is softened along its rows and down its columns. STEP tells how far it has come on its way to be parallel:
 * soften.md goes along. */
#include <stdio.h>

#ifndef STEP
#define STEP 0
#endif

enum { kHeight = 96, kWidth = 128 };

static int picture[kHeight][kWidth], soft[kHeight][kWidth];
#if STEP >= 2
static int smooth[kHeight][kWidth];
#endif

static void soften_row(const int *from, int *to) {
#if STEP == 0
  static int line[kWidth];
#else
  int line[kWidth];
#endif
  line[0] = from[0];
  for (int x = 1; x < kWidth; x++) line[x] = (from[x - 1] + from[x]) / 2;
  for (int x = 0; x < kWidth - 1; x++) to[x] = (line[x] + line[x + 1]) / 2;
  to[kWidth - 1] = line[kWidth - 1];
}

static void soften_rows(void) {
#if STEP >= 4
  #pragma omp parallel for
#endif
  for (int y = 0; y < kHeight; y++)
    soften_row(picture[y], soft[y]);
}

#if STEP < 2
static void soften_columns(void) {
  for (int y = 1; y < kHeight - 1; y++)
    for (int x = 0; x < kWidth; x++)
      soft[y][x] = (soft[y - 1][x] + 2 * soft[y][x] + soft[y + 1][x]) / 4;
}
#else
static void soften_columns(void) {
#if STEP >= 4
  #pragma omp parallel for
#endif
  for (int y = 1; y < kHeight - 1; y++)
    for (int x = 0; x < kWidth; x++)
      smooth[y][x] = (soft[y - 1][x] + 2 * soft[y][x] + soft[y + 1][x]) / 4;
}
#endif

static long brightness(int (*of)[kWidth]) {
  long sum = 0;
#if STEP < 3
  int *pixel = of[1];
  for (int n = 0; n < (kHeight - 2) * kWidth; n++)
    sum += *pixel++;
#else
#if STEP >= 4
  #pragma omp parallel for reduction(+:sum)
#endif
  for (int y = 1; y < kHeight - 1; y++)
    for (int x = 0; x < kWidth; x++)
      sum += of[y][x];
#endif
  return sum;
}

int main(void) {
  for (int y = 0; y < kHeight; y++)
    for (int x = 0; x < kWidth; x++) picture[y][x] = (x * y + 7 * x) % 256;
  soften_rows();
  soften_columns();
#if STEP < 2
  printf("%ld\n", brightness(soft));
#else
  printf("%ld\n", brightness(smooth));
#endif
  return 0;
}
