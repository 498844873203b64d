/* SPDX-License-Identifier: GPL-2.0-or-later
 * rounds N: N times one thread sets a flag and stores to an element, another loads the flag and the element that it
 * says, in turns that nothing orders. The reader's first round comes after the writer's, on any schedule: it asks for a
 * descriptor until the writer has closed it. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int flag, element[2];
static int rounds, started;

static void *writer(void *unused) {
  for (int i = 0; i < rounds; i++) {
    flag = 1;
    element[1] = i;
    if (i == 0) close(started);
    sched_yield();
  }
  return unused;
}

static void *reader(void *unused) {
  volatile int sum = 0;
  while (fcntl(started, F_GETFD) != -1) sched_yield();
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
  started = open("/dev/null", O_RDONLY);
  if (started < 0) return 2;
  if (pthread_create(&first, 0, writer, 0) || pthread_create(&second, 0, reader, 0)) return 1;
  return pthread_join(first, 0) || pthread_join(second, 0);
}
