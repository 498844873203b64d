/* SPDX-License-Identifier: GPL-2.0-or-later
 * 200 threads, one after another: Valgrind's thread ids and pthread_t values are used again and again. */
#include <pthread.h>
#include <stdio.h>

static int count;

static void* add(void* argument) {
  count++;
  return argument;
}

int main(void) {
  for (int i = 0; i < 200; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
  }
  printf("%d\n", count);
  return 0;
}
