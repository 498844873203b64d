/* SPDX-License-Identifier: GPL-2.0-or-later
 * Every operation on reader-writer locks, those that fail included. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

pthread_rwlock_t lock;

static const struct timespec past = {1, 0};

static void show(const char* what, int result) { printf("%s: %s\n", what, strerrorname_np(result)); }

/* The lock is held for writing by main. */
static void* refused(void* argument) {
  show("tryrdlock", pthread_rwlock_tryrdlock(&lock));
  show("timedrdlock", pthread_rwlock_timedrdlock(&lock, &past));
  show("clockrdlock", pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past));
  show("trywrlock", pthread_rwlock_trywrlock(&lock));
  show("timedwrlock", pthread_rwlock_timedwrlock(&lock, &past));
  show("clockwrlock", pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past));
  return argument;
}

static void read_and_write(void) {
  show("rdlock", pthread_rwlock_rdlock(&lock));
  show("second, tryrdlock", pthread_rwlock_tryrdlock(&lock));
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  show("timedrdlock", pthread_rwlock_timedrdlock(&lock, &past));
  pthread_rwlock_unlock(&lock);
  show("clockrdlock", pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &past));
  pthread_rwlock_unlock(&lock);
  show("trywrlock", pthread_rwlock_trywrlock(&lock));
  pthread_rwlock_unlock(&lock);
  show("timedwrlock", pthread_rwlock_timedwrlock(&lock, &past));
  pthread_rwlock_unlock(&lock);
  show("clockwrlock", pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &past));
  pthread_rwlock_unlock(&lock);
}

int main(void) {
  pthread_t thread;
  show("init", pthread_rwlock_init(&lock, NULL));
  read_and_write();
  show("wrlock", pthread_rwlock_wrlock(&lock));
  show("second, wrlock", pthread_rwlock_wrlock(&lock));
  show("second, rdlock", pthread_rwlock_rdlock(&lock));
  pthread_create(&thread, NULL, refused, NULL);
  pthread_join(thread, NULL);
  show("unlock", pthread_rwlock_unlock(&lock));
  show("destroy", pthread_rwlock_destroy(&lock));
  return 0;
}
