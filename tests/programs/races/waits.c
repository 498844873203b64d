/* SPDX-License-Identifier: GPL-2.0-or-later
 * Conditions, semaphores, barriers. */
#include <errno.h>
#include <time.h>

#include "order.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t tokens, started, plenty;
static pthread_barrier_t pair, of_three;

/* The signaller does not hold the waiter's mutex: what orders is the signal alone. */
static int signalled;
static void signalled_1(void) { pthread_mutex_lock(&m); done(0); pthread_cond_wait(&c, &m); signalled = 2; pthread_mutex_unlock(&m); }
static void signalled_2(void) {
  await(0);
  CDRGRIND_HIDE_BEGIN; /* the waiter has let go of it: it waits */
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  CDRGRIND_HIDE_END;
  signalled = 1;
  pthread_cond_signal(&c);
}

static int broadcast;
static void broadcast_1(void) { pthread_mutex_lock(&m); done(1); pthread_cond_wait(&c, &m); broadcast = 2; pthread_mutex_unlock(&m); }
static void broadcast_2(void) {
  await(1);
  CDRGRIND_HIDE_BEGIN;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  CDRGRIND_HIDE_END;
  broadcast = 1;
  pthread_cond_broadcast(&c);
}

static int after_signal;
static void after_signal_1(void) { pthread_mutex_lock(&m); done(2); pthread_cond_wait(&c, &m); after_signal = 2; done(3); pthread_mutex_unlock(&m); }
static void after_signal_2(void) {
  await(2);
  CDRGRIND_HIDE_BEGIN;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  CDRGRIND_HIDE_END;
  pthread_cond_signal(&c);
  await(3);
  after_signal = 1;
}

/* A signal that nobody waits for is gone. */
static int signal_lost;
static void signal_lost_1(void) { signal_lost = 1; pthread_cond_signal(&c); }
static void signal_lost_2(void) {
  struct timespec t = {1, 0};
  pthread_mutex_lock(&n);
  if (pthread_cond_timedwait(&c, &n, &t) == ETIMEDOUT) signal_lost = 2;
  pthread_mutex_unlock(&n);
}

/* After a time-out the mutex is held again. */
static int wait_timed_out;
static void wait_timed_out_1(void) { pthread_mutex_lock(&m); wait_timed_out = 1; pthread_mutex_unlock(&m); }
static void wait_timed_out_2(void) {
  struct timespec t = {1, 0};
  pthread_mutex_lock(&m);
  pthread_cond_timedwait(&c, &m, &t);
  wait_timed_out = 2;
  pthread_mutex_unlock(&m);
}

static int posted;
static void posted_1(void) { posted = 1; sem_post(&tokens); }
static void posted_2(void) { sem_wait(&tokens); posted = 2; }

static int after_post;
static void after_post_1(void) { sem_post(&tokens); after_post = 1; }
static void after_post_2(void) { sem_wait(&tokens); after_post = 2; }

static int try_wait;
static void try_wait_1(void) { try_wait = 1; sem_post(&tokens); }
static void try_wait_2(void) { if (sem_trywait(&tokens) == 0) try_wait = 2; }

static int try_wait_failed;
static void try_wait_failed_1(void) { try_wait_failed = 1; }
static void try_wait_failed_2(void) { if (sem_trywait(&tokens) != 0) try_wait_failed = 2; }

static int timed_sem;
static void timed_sem_1(void) { timed_sem = 1; sem_post(&tokens); }
static void timed_sem_2(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += 100;
  sem_timedwait(&tokens, &t);
  timed_sem = 2;
}

/* The token that was there from the beginning comes first, and carries nothing. */
static int initial_token;
static void initial_token_1(void) { initial_token = 1; sem_post(&plenty); }
static void initial_token_2(void) { sem_wait(&plenty); initial_token = 2; sem_wait(&plenty); }

static int second_token;
static void second_token_1(void) { second_token = 1; sem_post(&started); }
static void second_token_2(void) { sem_wait(&started); sem_wait(&started); second_token = 2; }

static int met;
static void met_1(void) { met = 1; pthread_barrier_wait(&pair); }
static void met_2(void) { pthread_barrier_wait(&pair); met = 2; }

static int met_both_ways, met_back;
static void met_both_ways_1(void) { met_both_ways = 1; pthread_barrier_wait(&pair); pthread_barrier_wait(&pair); int x = met_back; (void)x; }
static void met_both_ways_2(void) { pthread_barrier_wait(&pair); met_both_ways = 2; met_back = 1; pthread_barrier_wait(&pair); }

static int before_meeting;
static void before_meeting_1(void) { before_meeting = 1; done(4); pthread_barrier_wait(&pair); }
static void before_meeting_2(void) { await(4); before_meeting = 2; pthread_barrier_wait(&pair); }

/* The third of three waits with the fourth and the fifth: phases are counted. */
static int third_in_line;
static void *third(void *p) { (void)p; pthread_barrier_wait(&of_three); return 0; }
static void third_in_line_1(void) { pthread_barrier_wait(&of_three); third_in_line = 1; done(5); }
static void third_in_line_2(void) {
  pthread_barrier_wait(&of_three);
  await(5);
  third_in_line = 2;
}

int main(void) {
  pthread_t t;
  prepare();
  sem_init(&tokens, 0, 0);
  sem_init(&started, 0, 1);
  sem_init(&plenty, 0, 1);
  pthread_barrier_init(&pair, 0, 2);
  pthread_barrier_init(&of_three, 0, 3);
  together(signalled_1, signalled_2);
  together(broadcast_1, broadcast_2);
  together(after_signal_1, after_signal_2);
  in_turn(signal_lost_1, signal_lost_2);
  in_turn(wait_timed_out_1, wait_timed_out_2);
  in_turn(posted_1, posted_2);
  in_turn(after_post_1, after_post_2);
  in_turn(try_wait_1, try_wait_2);
  in_turn(try_wait_failed_1, try_wait_failed_2);
  in_turn(timed_sem_1, timed_sem_2);
  in_turn(initial_token_1, initial_token_2);
  in_turn(second_token_1, second_token_2);
  together(met_1, met_2);
  together(met_both_ways_1, met_both_ways_2);
  together(before_meeting_1, before_meeting_2);
  pthread_create(&t, 0, third, 0);
  together(third_in_line_1, third_in_line_2);
  pthread_join(t, 0);
  return 0;
}
