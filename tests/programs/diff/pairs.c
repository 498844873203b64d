// SPDX-License-Identifier: GPL-2.0-or-later
// A program that tests/e2e/diff_pairs.py changes in known ways. Lines are known by what stands behind //.
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };
int data[N + 10], out[N + 10], total;

__attribute__((noinline)) void step(int i) {
  out[i] = 3 * i;  // step
}

__attribute__((noinline)) void other(int i) {
  out[i] = 5 * i;  // other
}

__attribute__((noinline)) void fill(int n) {
  for (int i = 1; i < n; i++)  // fill
    data[i] = i;  // element
}

__attribute__((noinline)) void walk(int n, int way) {
  for (int i = 0; i < n; i++) {  // walk
    if (i == way)  // choice
      other(i);  // there
    else
      step(i);  // here
  }
}

int main(int argc, char **argv) {
  int way = argc > 1 ? atoi(argv[1]) : -1;  // way
  fill(N);
  walk(N, way);  // walked
  total = data[3] + out[4];
  printf("%d\n", total);
  return 0;
}
