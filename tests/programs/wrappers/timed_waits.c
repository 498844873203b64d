/* SPDX-License-Identifier: GPL-2.0-or-later
 * Waits and joins until a time by some clock, those that succeed and those that give up. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
sem_t count;
int turn;

static const struct timespec past = {1, 0};

static struct timespec in_an_hour(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += 3600;
  return t;
}

static void show(const char* what, int result) { printf("%s: %s\n", what, strerrorname_np(result)); }
static int error_of(int result) { return result ? errno : 0; }

/* Main waits when this gets the lock; so it does a second time. */
static void* wake_twice(void* argument) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&lock);
    turn = i;
    pthread_cond_signal(&changed);
    while (i == 1 && turn == 1) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

static void conditions(void) {
  struct timespec real = in_an_hour(CLOCK_REALTIME), monotonic = in_an_hour(CLOCK_MONOTONIC);
  pthread_t thread;
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, wake_twice, NULL);
  show("condition, timed", pthread_cond_timedwait(&changed, &lock, &real));
  turn = 0;
  pthread_cond_signal(&changed);
  show("condition, clock", pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &monotonic));
  pthread_mutex_unlock(&lock);
  show("join, timed", pthread_timedjoin_np(thread, NULL, &real));
}

static void semaphores(void) {
  struct timespec real = in_an_hour(CLOCK_REALTIME), monotonic = in_an_hour(CLOCK_MONOTONIC);
  sem_init(&count, 0, 2);
  show("semaphore, timed", error_of(sem_timedwait(&count, &real)));
  show("semaphore, clock", error_of(sem_clockwait(&count, CLOCK_MONOTONIC, &monotonic)));
  show("none left, timed", error_of(sem_timedwait(&count, &past)));
  show("none left, clock", error_of(sem_clockwait(&count, CLOCK_MONOTONIC, &past)));
  show("none left, try", error_of(sem_trywait(&count)));
}

static void* nothing(void* argument) { return argument; }

static void joins(void) {
  struct timespec monotonic = in_an_hour(CLOCK_MONOTONIC);
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  show("join, clock", pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &monotonic));
}

int main(void) {
  conditions();
  pthread_mutex_lock(&lock);
  show("condition, long ago", pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &past));
  pthread_mutex_unlock(&lock);
  semaphores();
  joins();
  return 0;
}
