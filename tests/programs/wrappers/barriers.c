/* SPDX-License-Identifier: GPL-2.0-or-later
 * Barriers: in each round one thread, whichever it is, is told that it is the serial one. */
#include <pthread.h>
#include <stdio.h>

enum { kRounds = 2 };

pthread_barrier_t alone;
pthread_barrier_t both;
int serials[2];

static void* meet(void* argument) {
  int* mine = argument;
  for (int i = 0; i < kRounds; i++)
    if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD) ++*mine;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&alone, NULL, 1);
  pthread_barrier_init(&both, NULL, 2);
  printf("init for nobody: %d\n", pthread_barrier_init(&alone, NULL, 0));
  printf("alone: %d\n", pthread_barrier_wait(&alone) == PTHREAD_BARRIER_SERIAL_THREAD);
  pthread_create(&thread, NULL, meet, &serials[1]);
  meet(&serials[0]);
  pthread_join(thread, NULL);
  pthread_barrier_destroy(&both);
  pthread_barrier_destroy(&alone);
  printf("both: %d\n", serials[0] + serials[1]);
  return 0;
}
