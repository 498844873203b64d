/* SPDX-License-Identifier: GPL-2.0-or-later
 * 200 threads one after the other: Valgrind's ids, pthread_t values and stacks are used again. */
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 200 };

static int total;

void* add(void* number) {
  int mine = *(int*)number;
  total += mine;
  return number;
}

int main(void) {
  for (int i = 1; i <= kThreads; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, &i);
    pthread_join(thread, NULL);
  }
  printf("%d\n", total);
  return 0;
}
