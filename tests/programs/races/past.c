/* SPDX-License-Identifier: GPL-2.0-or-later
 * past: two threads store to tables of their own in rounds, behind each of which they wait for each other. Who has created
 * them waits for the first to end. In round 30 that one sets a timer, whose signal the creator gets; the handler reads
 * what the second one has stored in round 3, of which nothing tells it. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>

enum { kRounds = 60, kCells = 64 };
static long table[2][kRounds];
static volatile long cells[2][kCells], seen;
static pthread_barrier_t barrier;
static sem_t looked;

static void look(int signal) {
  (void)signal;
  seen = table[1][3]; /* races with the store below */
  sem_post(&looked);
}

static void *work(void *number) {
  long *const own = table[(long)number];
  for (int round = 0; round < kRounds; round++) {
    own[round] = round; /* races with the load above */
    for (int i = 0; i < kCells; i++) cells[(long)number][(i * 7 + round) % kCells]++;
    if (number == 0 && round == 30) {
      const struct itimerval soon = {.it_value = {0, 1000}};
      setitimer(ITIMER_REAL, &soon, 0);
      sem_wait(&looked);
    }
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  const struct sigaction action = {.sa_handler = look};
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  sigaction(SIGALRM, &action, 0);
  sem_init(&looked, 0, 0);
  pthread_sigmask(SIG_BLOCK, &alarms, 0);
  pthread_barrier_init(&barrier, 0, 2);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (void *)i);
  pthread_sigmask(SIG_UNBLOCK, &alarms, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
