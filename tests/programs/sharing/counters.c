/* SPDX-License-Identifier: GPL-2.0-or-later
 * Two threads take turns, by semaphores, so that all is known beforehand. In each round each of them
 *   - adds to a counter of its own, beside that of the other (false sharing),
 *   - adds to a counter of its own in a line of its own,
 *   - and the first passes a number on to the second (a hand-over). */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { kRounds = 50, kLine = 64 };

struct padded {
  _Alignas(kLine) long hits;
};

_Alignas(kLine) volatile long beside[2];
volatile struct padded apart[2];
_Alignas(kLine) volatile int mail;
_Alignas(kLine) sem_t turn[2];

static void work(int me) {
  beside[me]++;
  apart[me].hits++;
}

static void* first(void* unused) {
  for (int i = 0; i < kRounds; i++) {
    sem_wait(&turn[0]);
    work(0);
    mail = i;
    sem_post(&turn[1]);
  }
  return unused;
}

static void* second(void* sum) {
  for (int i = 0; i < kRounds; i++) {
    sem_wait(&turn[1]);
    work(1);
    *(long*)sum += mail;
    sem_post(&turn[0]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  long sum = 0;
  sem_init(&turn[0], 0, 1);
  sem_init(&turn[1], 0, 0);
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, &sum);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  printf("%ld\n", sum);
  return sum != (long)kRounds * (kRounds - 1) / 2;
}
