/* SPDX-License-Identifier: GPL-2.0-or-later
 * 1, 2, 4, 8 threads at a time, then 500, one after another. */
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

static void* add(void* argument) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return argument;
}

static void run(int threads) {
  pthread_t thread[8];
  for (int i = 0; i < threads; i++) pthread_create(&thread[i], NULL, add, NULL);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
}

int main(void) {
  for (int threads = 1; threads <= 8; threads *= 2) run(threads);
  for (int i = 0; i < 500; i++) run(1);
  printf("%d\n", count);
  return 0;
}
