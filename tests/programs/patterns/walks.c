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

__attribute__((noinline)) static int anywhere(void) {
  unsigned at = 1, sum = 0;
  for (int i = 0; i < kTimes; i++) {
    at = at * 1664525u + 1013904223u;
    sum += places[at >> 16]; /* anywhere */
  }
  return (int)sum;
}

int main(void) {
  printf("%g\n", rows() + columns() + members() + anywhere());
  return 0;
}
