/* SPDX-License-Identifier: GPL-2.0-or-later
 * Strands whose lanes in the chart of synchronisation are known. Lines are found by their comments. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { N = 240 };
static long sums[N], total, locked;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Each task enters a section, and one of a lock that is not the runtime's. Optimised, it ends with a jump to the unlock. */
static void equal_tasks(void) {
#pragma omp parallel num_threads(2) /* equal */
#pragma omp single
  for (int i = 0; i < N; i++) {
#pragma omp task /* task */
    {
      sums[i] = i;
#pragma omp critical
      total += i; /* critical */
      pthread_mutex_lock(&mutex); /* lock */
      locked += i;
      pthread_mutex_unlock(&mutex); /* unlock */
    }
  }
}

static long tree(int depth) {
  if (depth == 0) return 1;
  long left, right;
#pragma omp task shared(left) /* left */
  left = tree(depth - 1);
#pragma omp task shared(right) /* right */
  right = tree(depth - 1);
#pragma omp taskwait /* wait */
  return left + right;
}

static void rounds(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2) /* outer */
    {
#pragma omp barrier /* meet */
#pragma omp parallel num_threads(2) /* inner */
#pragma omp atomic
      total++;
    }
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  equal_tasks();
#pragma omp parallel num_threads(2) /* tree */
#pragma omp single
  total += tree(3);
  rounds();
  printf("%ld %ld\n", total, locked);
  return 0;
}
