/* SPDX-License-Identifier: GPL-2.0-or-later
 * What a page can show: a loop that is parallel, one that carries a sum, and one that cannot be parallel; a race; a lock
 * that is handed over; counters of two threads in one line of memory. */
#include <pthread.h>
#include <stdio.h>

enum { N = 400, THREADS = 2, ROUNDS = 60 };
struct counter { long hits; };
static int numbers[N], squares[N], chain[N];
static struct counter counters[THREADS];
static long total, largest;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fill(void) {
  for (int i = 0; i < N; i++) squares[i] = numbers[i] * numbers[i];
  for (int i = 1; i < N; i++) chain[i] = chain[i - 1] + squares[i];
}

static void *work(void *of) {
  long me = (long)of;
  for (int round = 0; round < ROUNDS; round++) {
    counters[me].hits += squares[round];
    pthread_mutex_lock(&lock);
    total += squares[round];
    pthread_mutex_unlock(&lock);
    largest = squares[round];
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < N; i++) numbers[i] = i % 50;
  fill();
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (long i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  printf("%ld %ld %d\n", total, largest, chain[N - 1]);
  return 0;
}
