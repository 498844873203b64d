/* SPDX-License-Identifier: GPL-2.0-or-later
 * one_by_one -r THREADS: so many threads, each created when the one before has been joined; each adds its number to a
 * sum, with a lock. Right if the sum is. */
#include "tests/bench/programs/kernel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;

static void* add(void* number) {
  pthread_mutex_lock(&lock);
  sum += *(const uint64_t*)number;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(int argc, char** argv) {
  begin_alone(argc, argv, "one_by_one", 1);
  const uint64_t last = (uint64_t)kernel.rounds;
  for (uint64_t number = 1; number <= last; number++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, add, &number)) give_up("cannot create a thread");
    pthread_join(thread, NULL);
  }
  return finish(sum == last * (last + 1) / 2, sum);
}
