/* SPDX-License-Identifier: GPL-2.0-or-later
 * Every operation on mutexes, those that fail included. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

pthread_mutex_t plain;
pthread_mutex_t checked;
int count;

static void show(const char* what, int result) { printf("%s: %s\n", what, strerrorname_np(result)); }

static void* add(void* argument) {
  pthread_mutex_lock(&plain);
  count++;
  pthread_mutex_unlock(&plain);
  return argument;
}

static void refuse(void) {
  struct timespec past = {1, 0};
  pthread_mutex_lock(&plain);
  show("trylock of a locked mutex", pthread_mutex_trylock(&plain));
  show("timedlock until long ago", pthread_mutex_timedlock(&plain, &past));
  show("clocklock until long ago", pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &past));
  pthread_mutex_unlock(&plain);
  show("trylock of a free mutex", pthread_mutex_trylock(&plain));
  pthread_mutex_unlock(&plain);
  show("timedlock of a free mutex", pthread_mutex_timedlock(&plain, &past));
  pthread_mutex_unlock(&plain);
  show("clocklock of a free mutex", pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &past));
  pthread_mutex_unlock(&plain);
}

static void check(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  show("unlock of a free mutex", pthread_mutex_unlock(&checked));
  pthread_mutex_lock(&checked);
  show("second lock", pthread_mutex_lock(&checked));
  show("destroy of a locked mutex", pthread_mutex_destroy(&checked));
  pthread_mutex_unlock(&checked);
  pthread_mutex_destroy(&checked);
}

int main(void) {
  pthread_t thread;
  pthread_mutex_init(&plain, NULL);
  refuse();
  check();
  pthread_create(&thread, NULL, add, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_destroy(&plain);
  printf("count %d\n", count);
  return 0;
}
