/* SPDX-License-Identifier: GPL-2.0-or-later
 * Races in code that has no line, as what an optimiser has made of several lines: inlined at one that is known, and not. */
#include <pthread.h>

/* The assembler's first file is this one; for clang, whose assembler is its own. */
#define WITHOUT_LINE(variable) __asm__ volatile(".loc 1 0\n\tincl %0" : "+m"(variable))

static int inlined, apart;

static inline __attribute__((always_inline)) void count(void) { WITHOUT_LINE(inlined); }
static __attribute__((noinline)) void count_apart(void) { WITHOUT_LINE(apart); }
static __attribute__((noinline)) void count_elsewhere(void) { WITHOUT_LINE(apart); }

static void* counter(void* unused) {
  count(); /* one */
  count_apart();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, counter, NULL);
  count(); /* the other */
  count_apart();
  count_elsewhere();
  pthread_join(thread, NULL);
  return 0;
}
