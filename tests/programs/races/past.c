/* SPDX-License-Identifier: GPL-2.0-or-later
 * past: two threads store to tables of their own in rounds, behind each of which they wait for each other. Who has created
 * them waits for the first to end. In round 30 that one sends it a signal; the handler reads what the second one has
 * stored in round 3, of which nothing tells it. */
#include <pthread.h>
#include <signal.h>

enum { kRounds = 60, kCells = 64 };
static long table[2][kRounds];
static volatile long cells[2][kCells], seen;
static pthread_barrier_t barrier;
static pthread_t creator;

static void look(int signal) {
  (void)signal;
  seen = table[1][3]; /* races with the store below */
}

static void *work(void *number) {
  long *const own = table[(long)number];
  for (int round = 0; round < kRounds; round++) {
    own[round] = round; /* races with the load above */
    for (int i = 0; i < kCells; i++) cells[(long)number][(i * 7 + round) % kCells]++;
    if (number == 0 && round == 30) pthread_kill(creator, SIGUSR1);
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  const struct sigaction action = {.sa_handler = look};
  sigaction(SIGUSR1, &action, 0);
  creator = pthread_self();
  pthread_barrier_init(&barrier, 0, 2);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
