/* SPDX-License-Identifier: GPL-2.0-or-later
 * What strands of OpenMP hand on to each other, and what the library's words do not. Which races only follow from
 * others is known: see strands.expect. The argument says what the two parts of a case are: sections, tasks, chunks,
 * threads. */
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "side_by_side.h"

volatile int S, X, Y, A[16];
volatile int sink;

/* A task depends on the condition under which it was created. */
static void made_under_1(void) { S = 1, X = 1; }
static void made_under_2(void) {
  if (S) {
#pragma omp task
    sink = X;
  }
}
/* Its data come from its creator. */
static void task_data_1(void) { S = 1, A[1] = 0; }
static void task_data_2(void) {
  int x = S;
#pragma omp task firstprivate(x)
  sink = A[x];
}
/* So does a loop's task, and it depends on nothing else. */
static void loop_data_1(void) { S = 1, A[2] = 0; }
static void loop_data_2(void) {
  int x = S;
#pragma omp taskloop firstprivate(x) num_tasks(2)
  for (int i = 0; i < 2; i++) (void)A[x + 1];
}
/* A region depends on the condition under which it begins. */
static void region_under_1(void) { S = 1, X = 1; }
static void region_under_2(void) {
  if (S) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) sink = X;
  }
}
/* Where a task is executed does not matter. */
static void waited_under_1(void) { S = 1, Y = 1; }
static void waited_under_2(void) {
#pragma omp task
  sink = Y;
  if (S) {
#pragma omp taskwait
  }
}
/* Undeferred, it goes on in its creator. */
static void at_once_1(void) {
  S = 1;
#pragma omp task if (0)
  A[1] = 0;
}
static void at_once_2(void) {
  int x = S;
  sink = A[x];
}
static void made_at_once_1(void) { S = 1, A[1] = 0; }
static void made_at_once_2(void) {
  int x = S;
#pragma omp task if (0)
  sink = A[x];
}
/* The bounds of a chunk are the library's. */
static void bounds_1(void) { S = 1, A[0] = 0; }
static void bounds_2(void) {
  int n = S;
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
  for (int i = 0; i < n; i++) sink = A[i];
}
static int order;

/* What the implicit task did comes before its chunks: here the chunk is the initial thread's. */
static pthread_t initial;
static void goes_on_1(void) {
#pragma omp parallel num_threads(2)
  {
    if (pthread_equal(pthread_self(), initial)) {
      S = 1;
    } else {
      while (fcntl(order, F_GETFD) != -1) sched_yield();
      int x = S;
      sink = A[x];
    }
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < 1; i++) {
      A[1] = 0;
      close(order);
    }
  }
}
/* What another region did does not. */
static void other_region_1(void) {
  S = 1;
#pragma omp parallel num_threads(1)
  A[1] = 0;
}
static void other_region_2(void) {
  int x = S;
  sink = A[x];
}

static void* run_first(void* part) {
  (*(void (**)(void))part)();
  return close(order) == 0 ? 0 : part;
}
static void* run_second(void* part) {
  while (fcntl(order, F_GETFD) != -1) sched_yield();
  (*(void (**)(void))part)();
  return 0;
}

#define CASE(name) \
  { name##_1, name##_2 }
static const struct {
  void (*first)(void);
  void (*second)(void);
} cases[] = {CASE(made_under), CASE(task_data),    CASE(loop_data), CASE(region_under), CASE(waited_under),
             CASE(at_once),    CASE(made_at_once), CASE(bounds),    {goes_on_1, 0},     CASE(other_region)};

int main(int argc, char** argv) {
  initial = pthread_self();
  omp_set_max_active_levels(2);
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++) {
    void (*first)(void) = cases[i].first;
    void (*second)(void) = cases[i].second;
    S = X = Y = 0, memset((void*)A, 0, sizeof A);
    order = open("/dev/null", O_RDONLY);
    if (order < 0) return 1;
    if (second)
      side_by_side(argv[1], (Part){run_first, &first}, (Part){run_second, &second});
    else
      first();
  }
  return 0;
}
