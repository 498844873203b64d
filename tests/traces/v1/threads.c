/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long shared;

static void* work(void* mine) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    shared += *(long*)mine;
    pthread_mutex_unlock(&lock);
  }
  return mine;
}

int main(void) {
  pthread_t threads[2];
  long mine[2] = {1, 10};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &mine[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return (int)shared;
}
