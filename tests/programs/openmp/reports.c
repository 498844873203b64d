/* SPDX-License-Identifier: GPL-2.0-or-later
 * Regions of which it is known what reports must say of them: names, places, counts. Lines are found by their comments. */
#include <omp.h>

int total, work[64];

/* A local variable that a region shares has its name. */
static int shared_local(void) {
  int sum = 0, right = 0;
#pragma omp parallel num_threads(2) shared(sum, right)
  {
    sum += 1; /* sum */
#pragma omp atomic
    right += 1; /* right */
  }
  return sum + right;
}

/* One that a task shares, and where the task was created. */
static int shared_with_task(void) {
  int box = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp task shared(box) /* first task */
    box = 1; /* in first task */
#pragma omp task shared(box) /* second task */
    box = 2; /* in second task */
  }
  return box;
}

/* On one thread chunk 0 comes first: what it did before its section is kept from racing with what chunk 1 does behind
 * its own by nothing but the order of the sections. The other way round nothing at all keeps it. */
static void ordered_by_lock(void) {
  omp_set_num_threads(1);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 2; i++) {
    if (i == 0) work[0] = 1; /* before the section */
#pragma omp critical
    total += i;
    if (i == 1) work[0] = 2; /* behind the section */
  }
  omp_set_num_threads(2);
}
static void not_even_by_lock(void) {
  omp_set_num_threads(1);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 2; i++) {
    if (i == 1) work[32] = 1; /* second before */
#pragma omp critical
    total += i;
    if (i == 0) work[32] = 2; /* first behind */
  }
  omp_set_num_threads(2);
}

/* Thread 0 has 9,000 rounds more to do before the barrier, thread 1 behind it. */
static void uneven(void) {
#pragma omp parallel num_threads(2) /* uneven */
  {
    volatile int mine = 0;
    const int me = omp_get_thread_num();
    for (int i = 0; i < (me ? 1000 : 10000); i++) mine += i;
#pragma omp barrier
    for (int i = 0; i < (me ? 10000 : 1000); i++) mine += i;
  }
}

/* What the runtime gives out. */
static void shared_out(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2) /* shared out */
    {
#pragma omp for schedule(dynamic, 4) /* up */
      for (int i = 0; i < 22; i++) work[i] = i;
#pragma omp for schedule(guided) /* down */
      for (int i = 30; i > 0; i -= 3) work[i] = i;
#pragma omp sections /* three */
      {
        work[1] = 1;
#pragma omp section
        work[2] = 2;
#pragma omp section
        work[3] = 3;
      }
#pragma omp critical /* once a thread */
      total++;
#pragma omp single
      for (int i = 0; i < 5; i++) {
#pragma omp task
        work[i] = i;
      }
    }
  }
}

int main(void) {
  shared_local();
  shared_with_task();
  ordered_by_lock();
  not_even_by_lock();
  uneven();
  shared_out();
  return 0;
}
