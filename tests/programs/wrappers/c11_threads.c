/* SPDX-License-Identifier: GPL-2.0-or-later
 * C11's threads are pthreads by other names. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

mtx_t lock;
cnd_t changed;
once_flag flag = ONCE_FLAG_INIT;
tss_t key;
int state;

static void once(void) { tss_create(&key, NULL); }

static int third(void* argument) {
  call_once(&flag, once);
  tss_set(key, argument);
  return tss_get(key) == argument;
}

static int fourth(void* argument) { return argument != NULL; }

static int second(void* argument) {
  (void)argument;
  mtx_lock(&lock);
  while (state != 1) cnd_wait(&changed, &lock);
  state = 2;
  cnd_broadcast(&changed);
  mtx_unlock(&lock);
  thrd_exit(7);
}

static int cnd_timedwait_locked(const struct timespec* until) {
  mtx_lock(&lock);
  const int result = cnd_timedwait(&changed, &lock, until);
  mtx_unlock(&lock);
  return result;
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
  printf("timedwait: %d\n", cnd_timedwait_locked(&past) == thrd_timedout);
  call_once(&flag, once);
  thrd_create(&thread, third, &state);
  thrd_join(thread, &state);
  tss_delete(key);
  thrd_create(&thread, fourth, NULL);
  thrd_detach(thread);
  cnd_destroy(&changed);
  mtx_destroy(&lock);
  printf("value %d\n", value);
  return 0;
}
