/* SPDX-License-Identifier: GPL-2.0-or-later
 * Something of everything that reports name. In the built program the test puts worse names in the place of those that
 * end in HOSTILE_HOSTILE_HOSTILE_H. */
#include <pthread.h>
#include <stdlib.h>

#include <cdrgrind/cdrgrind.h>

typedef long kind_HOSTILE_HOSTILE_HOSTILE_H;
struct record_HOSTILE_HOSTILE_HOSTILE_H {
  kind_HOSTILE_HOSTILE_HOSTILE_H field_HOSTILE_HOSTILE_HOSTILE_H, other;
};
static volatile struct record_HOSTILE_HOSTILE_HOSTILE_H variable_HOSTILE_HOSTILE_HOSTILE_H;
static pthread_mutex_t lock_HOSTILE_HOSTILE_HOSTILE_H = PTHREAD_MUTEX_INITIALIZER;
static volatile long array_HOSTILE_HOSTILE_HOSTILE_H[300];
static volatile long *block;

static inline __attribute__((always_inline)) void inlined_HOSTILE_HOSTILE_HOSTILE_H(long i) {
  variable_HOSTILE_HOSTILE_HOSTILE_H.field_HOSTILE_HOSTILE_HOSTILE_H += i; /* SOURCE_COMMENT_SOURCE_COM */
}

static __attribute__((noinline)) void function_HOSTILE_HOSTILE_HOSTILE_H(long mine) {
  for (long i = 0; i < 40; ++i) {
    inlined_HOSTILE_HOSTILE_HOSTILE_H(i);
    if (mine)
      ++variable_HOSTILE_HOSTILE_HOSTILE_H.other;
    block[i % 4] += i;
  }
  for (long i = 0; i < 300; ++i)
    array_HOSTILE_HOSTILE_HOSTILE_H[i] += array_HOSTILE_HOSTILE_HOSTILE_H[(7 * i) % 300];
}

static void *thread_HOSTILE_HOSTILE_HOSTILE_H(void *mine) {
  function_HOSTILE_HOSTILE_HOSTILE_H((long)mine);
  for (int i = 0; i < 5; ++i) {
    pthread_mutex_lock(&lock_HOSTILE_HOSTILE_HOSTILE_H);
    pthread_mutex_unlock(&lock_HOSTILE_HOSTILE_HOSTILE_H);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  block = calloc(4, sizeof *block);
  CDRGRIND_MARK(argc > 1 ? argv[1] : "none");
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, thread_HOSTILE_HOSTILE_HOSTILE_H, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  free((void *)block);
  return 0;
}
