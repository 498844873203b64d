/* SPDX-License-Identifier: GPL-2.0-or-later
 * Semaphores: all operations; those that fail return -1 and set errno. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

sem_t items;
sem_t full;

static void* produce(void* argument) {
  sem_post(&items);
  return argument;
}

static void show(const char* what, int result) {
  printf("%s: %d %s\n", what, result, result ? strerrorname_np(errno) : "");
}

static void ignore(int signal) { (void)signal; }

static void be_interrupted(void) {
  const struct sigaction action = {.sa_handler = ignore};
  const struct itimerval again = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &again, NULL);
  show("wait, interrupted", sem_wait(&items));
  setitimer(ITIMER_REAL, &never, NULL);
}

int main(void) {
  pthread_t thread;
  sem_init(&items, 0, 1);
  sem_init(&full, 0, SEM_VALUE_MAX);
  show("init beyond the maximum", sem_init(&full, 0, SEM_VALUE_MAX + 1u));
  show("post beyond the maximum", sem_post(&full));
  show("trywait, 1 there", sem_trywait(&items));
  show("trywait, none there", sem_trywait(&items));
  be_interrupted();
  pthread_create(&thread, NULL, produce, NULL);
  show("wait", sem_wait(&items));
  pthread_join(thread, NULL);
  sem_destroy(&full);
  sem_destroy(&items);
  return 0;
}
