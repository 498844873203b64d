/* SPDX-License-Identifier: GPL-2.0-or-later
 * Threads cancelled while they wait for a condition, a semaphore, another thread. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
sem_t none;
int cleaned;

/* Runs with the mutex held: the wait has taken it again. */
static void clean(void* argument) {
  cleaned++;
  pthread_mutex_unlock(argument);
}

static void* wait_for_condition(void* argument) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean, &lock);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(0);
  return argument;
}

static void* wait_for_semaphore(void* argument) {
  sem_wait(&none);
  return argument;
}

static void* wait_for_thread(void* argument) {
  pthread_join(*(pthread_t*)argument, NULL);
  return argument;
}

static void cancel(const char* what, pthread_t thread) {
  void* value;
  pthread_cancel(thread);
  pthread_join(thread, &value);
  printf("%s: %s\n", what, value == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

int main(void) {
  pthread_t condition, semaphore, thread;
  sem_init(&none, 0, 0);
  pthread_create(&condition, NULL, wait_for_condition, NULL);
  pthread_create(&semaphore, NULL, wait_for_semaphore, NULL);
  pthread_create(&thread, NULL, wait_for_thread, &semaphore);
  cancel("condition", condition);
  cancel("thread", thread);
  cancel("semaphore", semaphore);
  printf("cleaned %d, mutex %s\n", cleaned, pthread_mutex_trylock(&lock) ? "held" : "free");
  return 0;
}
