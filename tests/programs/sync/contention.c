/* SPDX-License-Identifier: GPL-2.0-or-later
 * Critical sections of which it is known how much they hold. Threads work alone, then in turns of a lock. The argument:
 * the instructions that each thread works alone before it asks. */
#include <pthread.h>
#include <stdlib.h>

enum { kThreads = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, quiet = PTHREAD_MUTEX_INITIALIZER;
static unsigned long alone;

/* `n` instructions, but for a few. */
static void work(unsigned long n) {
  n /= 2;
  __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

static void* worker(void* unused) {
  work(alone);
  pthread_mutex_lock(&lock);
  work(10000);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&quiet);
  pthread_mutex_unlock(&quiet);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t all[kThreads];
  alone = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;
  for (int t = 0; t < kThreads; t++) pthread_create(&all[t], NULL, worker, NULL);
  for (int t = 0; t < kThreads; t++) pthread_join(all[t], NULL);
  return 0;
}
