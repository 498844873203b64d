/* SPDX-License-Identifier: GPL-2.0-or-later
 * Loops that walk through memory in ways that are known: row by row, column by column, one member of a structure,
 * here and there. */
#include <stdio.h>

enum { kRows = 64, kColumns = 640, kParts = 2000, kPlaces = 1 << 16, kTimes = 20000 };

static volatile double matrix[kRows][kColumns];
static volatile struct part {
  int weight;
  int others[31];
} parts[kParts];
static volatile struct point {
  double x, y, z, vx, vy, vz, mass, charge;
} points[kParts];
static volatile unsigned char places[kPlaces];

__attribute__((noinline)) static double rows(void) {
  double sum = 0;
  for (int i = 0; i < kRows; i++)
    for (int j = 0; j < kColumns; j++) sum += matrix[i][j]; /* rows */
  return sum;
}

__attribute__((noinline)) static double columns(void) {
  double sum = 0;
  for (int j = 0; j < kColumns; j++)
    for (int i = 0; i < kRows; i++) sum += matrix[i][j]; /* columns */
  return sum;
}

__attribute__((noinline)) static int members(void) {
  int sum = 0;
  for (int i = 0; i < kParts; i++) sum += parts[i].weight; /* members */
  return sum;
}

/* All of a line in one pass, whichever instructions do it. */
__attribute__((noinline)) static double unrolled(void) {
  const volatile double *all = matrix[0];
  double sum = 0;
  for (int i = 0; i < kRows * kColumns; i += 8)
    sum += all[i] + all[i + 1] + all[i + 2] + all[i + 3] + all[i + 4] + all[i + 5] + all[i + 6] + all[i + 7]; /* unrolled */
  return sum;
}

__attribute__((noinline)) static void push(volatile struct point *p) {
  p->x += p->vx; /* pushed */
  p->y += p->vy;
  p->z += p->vz;
}

__attribute__((noinline)) static double whole(void) {
  double sum = 0;
  for (int i = 0; i < kParts; i++) {
    push(&points[i]);
    sum += points[i].mass * points[i].charge; /* whole */
  }
  return sum;
}

__attribute__((noinline)) static double masses(void) {
  double sum = 0;
  for (int i = 0; i < kParts; i++) sum += points[i].mass; /* masses */
  return sum;
}

__attribute__((noinline)) static int anywhere(void) {
  unsigned at = 1, sum = 0;
  for (int i = 0; i < kTimes; i++) {
    at = at * 1664525u + 1013904223u;
    sum += places[at >> 16]; /* anywhere */
  }
  return (int)sum;
}

int main(void) {
  printf("%g\n", rows() + columns() + members() + unrolled() + whole() + masses() + anywhere());
  return 0;
}
