/* SPDX-License-Identifier: GPL-2.0-or-later
 * C11's threads are pthreads by other names. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

mtx_t lock;
cnd_t changed;
int state;

static int second(void* argument) {
  (void)argument;
  mtx_lock(&lock);
  while (state != 1) cnd_wait(&changed, &lock);
  state = 2;
  cnd_broadcast(&changed);
  mtx_unlock(&lock);
  thrd_exit(7);
}

int main(void) {
  struct timespec past = {1, 0};
  thrd_t thread;
  int value;
  mtx_init(&lock, mtx_timed);
  cnd_init(&changed);
  mtx_lock(&lock);
  printf("trylock: %d\n", mtx_trylock(&lock) == thrd_busy);
  printf("timedlock: %d\n", mtx_timedlock(&lock, &past) == thrd_timedout);
  thrd_create(&thread, second, NULL);
  state = 1;
  cnd_signal(&changed);
  while (state != 2) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  thrd_join(thread, &value);
  cnd_destroy(&changed);
  mtx_destroy(&lock);
  printf("value %d\n", value);
  return 0;
}
