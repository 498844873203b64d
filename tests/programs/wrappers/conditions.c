/* SPDX-License-Identifier: GPL-2.0-or-later
 * Every operation on condition variables. The threads take turns, so the number of waits is known. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t changed;
int state;

static void wait_for(int wanted) {
  while (state != wanted) pthread_cond_wait(&changed, &lock);
}

/* Waits for 1, which main sets after it has seen 0 become -1 under the lock: it does wait, once. */
static void* second(void* argument) {
  pthread_mutex_lock(&lock);
  state = -1;
  pthread_cond_signal(&changed);
  wait_for(1);
  state = 2;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return argument;
}

static int wait_until_long_ago(void) {
  struct timespec past = {1, 0};
  return pthread_cond_timedwait(&changed, &lock, &past);
}

int main(void) {
  pthread_t thread;
  pthread_cond_init(&changed, NULL);
  pthread_mutex_lock(&lock);
  printf("timed wait: %d\n", wait_until_long_ago());
  printf("wait without the mutex: %d\n", pthread_cond_wait(&changed, &checked));
  pthread_create(&thread, NULL, second, NULL);
  wait_for(-1);
  state = 1;
  pthread_cond_signal(&changed);
  wait_for(2);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  pthread_cond_destroy(&changed);
  printf("state %d\n", state);
  return 0;
}
