/* SPDX-License-Identifier: GPL-2.0-or-later
 * rounds N: N times one thread sets a flag and stores to an element, another loads the flag and the element that it
 * says, in turns that nothing orders. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static volatile int flag, element[2];
static int rounds;

static void *writer(void *unused) {
  for (int i = 0; i < rounds; i++) {
    flag = 1;
    element[1] = i;
    sched_yield();
  }
  return unused;
}

static void *reader(void *unused) {
  volatile int sum = 0;
  for (int i = 0; i < rounds; i++) {
    int at = flag;
    sum += element[at];
    sched_yield();
  }
  return unused;
}

int main(int argc, char **argv) {
  pthread_t first, second;
  rounds = argc > 1 ? atoi(argv[1]) : 1;
  if (pthread_create(&first, 0, writer, 0) || pthread_create(&second, 0, reader, 0)) return 1;
  return pthread_join(first, 0) || pthread_join(second, 0);
}
