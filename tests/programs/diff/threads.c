// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads that take work from a queue, who gets which is the schedule's choice; and then add to a counter under a
// lock.
#include <pthread.h>
#include <stdio.h>

enum { WORK = 600, ADDS = 50 };
pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
int counter, next, done[2];

static int take(void) {
  pthread_mutex_lock(&queue);
  int item = next < WORK ? next++ : -1;
  pthread_mutex_unlock(&queue);
  return item;
}

static void *count(void *of) {
  int *mine = of;
  for (int item; (item = take()) >= 0;)
    if (item % 7 == 0) ++*mine;
  for (int i = 0; i < ADDS; i++) {
    pthread_mutex_lock(&lock);  // locks
    counter += i;  // adds
    pthread_mutex_unlock(&lock);  // unlocks
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, &done[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d %d\n", counter, done[0] + done[1]);
  return 0;
}
