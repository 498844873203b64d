/* SPDX-License-Identifier: GPL-2.0-or-later
 * For the options that record less: a function, what it calls, its caller; data of every kind. */
#include <stdio.h>
#include <stdlib.h>

int global;
int table[4];

__attribute__((noinline)) int helper(int n) {
  volatile int local = n;
  global += local;
  return global;
}

int wanted(int n) { return helper(n) + helper(n + 1); }

int unwanted(int n) { return helper(n) - 1; }

int main(void) {
  int* const on_heap = malloc(sizeof *on_heap);
  *on_heap = 0;
  for (int i = 0; i < 3; i++) {
    table[i] = i;
    *on_heap += unwanted(i);
    *on_heap += wanted(i);
  }
  printf("%d %d\n", *on_heap, global);
  free(on_heap);
  return 0;
}
