/* SPDX-License-Identifier: GPL-2.0-or-later
 * A routine of the program that pthread_once calls fills a buffer with memset; another thread reads it. What the
 * library does there it does for the program. */
#include <pthread.h>
#include <string.h>

static char filled[64] __attribute__((aligned(64)));
static volatile size_t bytes = sizeof filled;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int sum;

static void fill(void) { memset(filled, 1, bytes); }

static void* work(void* unused) {
  pthread_once(&once, fill);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  sum += filled[0];
  return sum != 1;
}
