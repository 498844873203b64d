/* SPDX-License-Identifier: GPL-2.0-or-later
 * The ways to join a thread that give up. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

sem_t go;

static void* wait(void* argument) {
  sem_wait(&go);
  return argument;
}

static void show(const char* what, int result) { printf("%s: %s\n", what, strerrorname_np(result)); }

int main(void) {
  struct timespec past = {1, 0};
  pthread_t thread;
  sem_init(&go, 0, 0);
  pthread_create(&thread, NULL, wait, NULL);
  show("try", pthread_tryjoin_np(thread, NULL));
  show("until long ago", pthread_timedjoin_np(thread, NULL, &past));
  show("until long ago", pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past));
  sem_post(&go);
  show("join", pthread_join(thread, NULL));
  return 0;
}
