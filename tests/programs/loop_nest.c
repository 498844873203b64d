/* SPDX-License-Identifier: GPL-2.0-or-later
 * Loops in loops, in two functions, with a lock: for the loop nests of a trace. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cells[4];

static void touch(int i) {
  cells[i & 3] += i;
}

static void sweep(int n) {
  for (int i = 0; i < n; i++)
    touch(i);
}

void work(void) {
  for (int round = 0; round < 5; round++) {
    sweep(3);
    pthread_mutex_lock(&lock);
    cells[0]++;
    pthread_mutex_unlock(&lock);
    sweep(4);
  }
}

int main(void) {
  work();
  return 0;
}
