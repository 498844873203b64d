/* SPDX-License-Identifier: GPL-2.0-or-later
 * Ends in the way that is asked: deaths WAY. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int* volatile nowhere;

void last_words(void) { printf("last words\n"), fflush(stdout); }

static void* in_a_thread(void* way) {
  last_words();
  if (strcmp(way, "thread-segv") == 0) *nowhere = 1;
  if (strcmp(way, "thread-exit") == 0) exit(4);
  return NULL;
}

/* Runs on, whatever happens. */
static void* run_on(void* counter) {
  for (;;) ++*(volatile long*)counter;
  return NULL;
}

static void* wait_a_little(void* unused) {
  usleep(20000);
  return unused;
}

static void start(void* (*what)(void*)) {
  static long counters[3];
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, what, &counters[i]);
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (strncmp(way, "thread-", 7) == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_a_thread, argv[1]);
    pthread_join(thread, NULL);
  }
  if (strncmp(way, "running-", 8) == 0) start(run_on);
  if (strcmp(way, "thread-last") == 0) {
    start(wait_a_little);
    last_words();
    pthread_exit(NULL);
  }
  last_words();
  if (strcmp(way, "running-exit") == 0) exit(5);
  if (strcmp(way, "quick_exit") == 0) quick_exit(3);
  if (strcmp(way, "segv") == 0) *nowhere = 1;
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "term") == 0) raise(SIGTERM);
  if (strcmp(way, "wait") == 0) pause();
  if (strcmp(way, "compute") == 0) {
    static long counter;
    run_on(&counter);
  }
  if (strcmp(way, "exit") == 0) exit(3);
  if (strcmp(way, "_exit") == 0) _exit(3);
  return 0;
}
