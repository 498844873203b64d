/* SPDX-License-Identifier: GPL-2.0-or-later
 * A program linked long ago has condition variables that are pointers to the present ones, which the library
 * makes and waits for: what it does to those is no operation of its own. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

__asm__(".symver pthread_cond_init, pthread_cond_init@GLIBC_2.2.5");
__asm__(".symver pthread_cond_signal, pthread_cond_signal@GLIBC_2.2.5");
__asm__(".symver pthread_cond_timedwait, pthread_cond_timedwait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_destroy, pthread_cond_destroy@GLIBC_2.2.5");

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t old;

int main(void) {
  struct timespec past = {1, 0};
  pthread_cond_init(&old, NULL);
  pthread_cond_signal(&old);
  pthread_mutex_lock(&lock);
  printf("timed out: %d\n", pthread_cond_timedwait(&old, &lock, &past) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  pthread_cond_destroy(&old);
  return 0;
}
