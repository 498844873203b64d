/* SPDX-License-Identifier: GPL-2.0-or-later
 * Two threads use a word of a stack before an atomic instruction touches it; and they race on something else. */
#include <pthread.h>

static int seen;

static void* look(void* to) {
  int* const word = to;
  const int was = *(volatile int*)word;
  __sync_val_compare_and_swap(word, was, was + 1);
  seen = was;
  return 0;
}

int main(void) {
  int word = 0;
  pthread_t t;
  pthread_create(&t, 0, look, &word);
  *(volatile int*)&word = 3;
  seen = 1;
  pthread_join(t, 0);
  return seen < 0;
}
