/* SPDX-License-Identifier: GPL-2.0-or-later
 * Blocks of a grid that are read, filtered and added up by tasks: one of them does not say what it reads. */
#include <stdio.h>

enum { kBlocks = 4, kCells = 64 };

static int raw[kBlocks][kCells], smooth[kBlocks][kCells], total[kBlocks];

static void get(int b) {
  for (int i = 0; i < kCells; i++) raw[b][i] = (b + 1) * i % 23;
}

static void filter(int b) {
  for (int i = 1; i < kCells; i++) smooth[b][i] = (raw[b][i - 1] + raw[b][i]) / 2;
}

static void add(int b) {
  for (int i = 0; i < kCells; i++) total[b] += smooth[b][i];
}

int main(void) {
  #pragma omp parallel
  #pragma omp single
  for (int b = 0; b < kBlocks; b++) {
    #pragma omp task depend(out : raw[b])
    get(b);
    #pragma omp task depend(in : raw[b]) depend(out : smooth[b])
    filter(b);
    #pragma omp task depend(inout : total[b])
    add(b);
  }
  for (int b = 0; b < kBlocks; b++) printf("%d\n", total[b]);
  return 0;
}
