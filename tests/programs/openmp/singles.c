/* SPDX-License-Identifier: GPL-2.0-or-later
 * What is done in the body of a single, beside what is done elsewhere: variables tell whether that is right. */
#include <omp.h>
#include <stdio.h>

int right_barrier, right_behind, right_master, right_task, right_copy, right_end, right_region, right_critical;
volatile int wrong_twice, wrong_behind, wrong_master, wrong_loop; /* no optimiser knows what is in them */

int main(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int mine = 0;
#pragma omp single
    right_barrier++;
#pragma omp single nowait
    {
      right_barrier++;
      mine++;
    }
    sum += mine;
#pragma omp single nowait
    right_critical = 0;
#pragma omp barrier
#pragma omp single nowait
    {
#pragma omp critical
      right_critical++;
    }
#pragma omp single nowait
    {
#pragma omp critical
      right_critical++;
    }
#pragma omp single
    right_behind = 1;
    sum += right_behind;
#pragma omp master
    right_master++;
#pragma omp master
    right_master++;
#pragma omp single nowait
    {
#pragma omp task
      right_task = 1;
    }
#pragma omp barrier
    sum += right_task;
    int copied;
#pragma omp single copyprivate(copied)
    copied = ++right_copy;
    sum += copied;
#pragma omp single
    {
#pragma omp parallel num_threads(2)
      {
#pragma omp single
        right_region++;
      }
    }
#pragma omp single nowait
    right_end = 1;

#pragma omp single nowait
    wrong_twice++;
#pragma omp single nowait
    wrong_twice++;
#pragma omp single nowait
    wrong_behind = 1;
    sum += wrong_behind;
#pragma omp single nowait
    wrong_master = 1;
#pragma omp master
    wrong_master++;
    for (int i = 0; i < 3; i++) {
#pragma omp single nowait
      wrong_loop++;
    }
  }
  printf("%d\n", sum + right_end);
  return 0;
}
