/* SPDX-License-Identifier: GPL-2.0-or-later
 * A block so large that the C library gives its memory back when it is freed; before, threads have handed it on. */
#include <pthread.h>
#include <stdlib.h>

static volatile long* table;
static const int numbers = 1 << 16;

static void* work(void* unused) {
  for (int i = 0; i < numbers; i += 8) table[i] += 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  table = calloc(numbers, sizeof *table);
  for (int round = 0; round < 2; round++) {
    work(NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  }
  const long last = table[8];
  free((void*)table);
  return last != 4;
}
