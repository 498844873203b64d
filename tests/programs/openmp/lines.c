/* SPDX-License-Identifier: GPL-2.0-or-later
 * What strands do to each other in lines of memory. A variable whose name begins with `beside' has parts in one line that
 * strands store at the same time, with `same' a part that they do; with `apart', `ordered' or `own' none. */
#include <omp.h>
#include <stdlib.h>

#define LINE __attribute__((aligned(64)))
enum { kTimes = 20 };
struct LINE Padded {
  volatile long n;
};
struct LINE Two {
  volatile long a, b;
};
static volatile long LINE sink[8];

static void add(volatile long *to) {
  for (int i = 0; i < kTimes; i++) *to += i;
}

/* Threads of a team, each with its counter. */
static volatile long LINE beside_for[8];
static struct Padded apart_for[2];
static void parallel_for(void) {
#pragma omp parallel for num_threads(2) schedule(static)
  for (int i = 0; i < 2; i++) {
    add(&beside_for[i]);
    add(&apart_for[i].n);
  }
}

/* Between the two stores stands a barrier. */
static struct Two LINE ordered_barrier;
static void barrier(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) add(&ordered_barrier.a);
#pragma omp barrier
    if (omp_get_thread_num() == 1) add(&ordered_barrier.b);
  }
}

/* In one region after the other. */
static struct Two LINE ordered_regions;
static void regions(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) add(&ordered_regions.a);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) add(&ordered_regions.b);
  }
}

/* Tasks, on one thread or on two. */
static struct Two LINE beside_tasks, ordered_depend, ordered_taskwait, ordered_undeferred;
static struct Padded apart_tasks[2];
static volatile long LINE same_tasks;
static void tasks(void) {
  int token = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      add(&beside_tasks.a);
      add(&apart_tasks[0].n);
#pragma omp critical
      add(&same_tasks);
    }
#pragma omp task
    {
      add(&beside_tasks.b);
      add(&apart_tasks[1].n);
#pragma omp critical
      add(&same_tasks);
    }
#pragma omp taskwait
#pragma omp task depend(out : token)
    add(&ordered_depend.a);
#pragma omp task depend(in : token)
    add(&ordered_depend.b);
#pragma omp task
    add(&ordered_taskwait.a);
#pragma omp taskwait
#pragma omp task
    add(&ordered_taskwait.b);
#pragma omp taskwait
#pragma omp task if (0)
    add(&ordered_undeferred.a);
    add(&ordered_undeferred.b);
  }
}

/* Frames of tasks lie where those of others have been; so do their data. */
static void frames(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
    {
      volatile long own[8] = {0};
      add(&own[i]);
      sink[0] = own[0];
    }
  }
}

/* Chunks: each its element; and what their threads have for themselves. */
static volatile long LINE beside_chunks[8];
static struct Padded apart_chunks[8];
static volatile long LINE own_counts[8];
#pragma omp threadprivate(own_counts)
static void chunks(void) {
#pragma omp parallel
  {
    volatile long *const scratch = aligned_alloc(64, 64);
    scratch[0] = 0;
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 8; i++) {
      volatile long own = 0;
      add(&own);
      add(scratch);
      add(&own_counts[0]);
      add(&beside_chunks[i]);
      add(&apart_chunks[i].n);
    }
    free((void *)scratch);
  }
}

/* Sections share what they are handed. */
static struct Two LINE beside_sections;
static void sections(void) {
#pragma omp parallel sections
  {
    add(&beside_sections.a);
#pragma omp section
    add(&beside_sections.b);
  }
}

int main(void) {
  parallel_for();
  barrier();
  regions();
  tasks();
  frames();
  chunks();
  sections();
  return 0;
}
