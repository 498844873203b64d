/* SPDX-License-Identifier: GPL-2.0-or-later
 * Sleeps or computes, in two threads, until SIGUSR1: monitored sleeping|computing. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t end;
static volatile long turns[2];

static void stop(int number) { end = number; }

static void* nothing(void* unused) { return unused; }

/* Blocks that take long, so that there are not too many to read back. */
#define SLOWLY(x) __asm__ volatile(".rept 32; fsin; .endr" : "+t"(x))

static void wait_for_end(int sleeps, volatile long* counter) {
  long double x = 1;
  while (!end) {
    ++*counter;
    SLOWLY(x);
    if (sleeps) usleep(50000);
  }
}

static void* run(void* sleeps) {
  wait_for_end(sleeps != NULL, &turns[1]);
  return NULL;
}

int main(int argc, char** argv) {
  const int sleeps = argc > 1 && strcmp(argv[1], "sleeping") == 0;
  pthread_t thread;
  signal(SIGUSR1, stop);
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, run, sleeps ? argv[1] : NULL);
  while (turns[1] == 0) usleep(1000);
  puts("running");
  fflush(stdout);
  wait_for_end(sleeps, &turns[0]);
  pthread_join(thread, NULL);
  puts("ended");
  return 0;
}
