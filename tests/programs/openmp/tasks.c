/* SPDX-License-Identifier: GPL-2.0-or-later
 * Explicit tasks. */
#include <stdlib.h>

#include "cases.h"

int total, x, y, z, shared_a[N];

#ifdef WRONG
#define EITHER(right, wrong) wrong
#else
#define EITHER(right, wrong) right
#endif

static void in_team(void (*work)(void)) {
#pragma omp parallel
#pragma omp single
  work();
}

static void wait_for_one(void) {
#pragma omp task
  total = 1;
#ifndef WRONG
#pragma omp taskwait
#endif
  x = total;
}
static void taskwait(void) { in_team(wait_for_one); }

static void two_writers(void) {
#pragma omp task
  total += 1;
#ifndef WRONG
#pragma omp taskwait
#endif
#pragma omp task
  total += 2;
}
static void siblings(void) { in_team(two_writers); }

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
static void run_fib(void) {
  x = fib(6);
#ifdef WRONG
#pragma omp task
  x = 1;
#pragma omp task
  x = 2;
#endif
}
static void recursion(void) { in_team(run_fib); }

static void grand_child(void) {
#pragma omp task
  {
#pragma omp task
    total = 3;
  }
}
static void group(void) {
#ifdef WRONG
  grand_child();
#pragma omp taskwait
#else
#pragma omp taskgroup
  grand_child();
#endif
  x = total;
}
static void taskgroup(void) { in_team(group); }

static void chain(void) {
#pragma omp task depend(out : x)
  x = 1;
  RIGHT_OR_WRONG("omp task depend(in : x) depend(out : y)", "omp task depend(out : y)")
  y = x + 1;
#pragma omp task depend(in : y)
  z = y + 1;
}
static void depend(void) { in_team(chain); }

static void readers(void) {
#pragma omp task depend(out : x)
  x = 1;
  for (int i = 0; i < 4; i++) {
#pragma omp task depend(in : x) firstprivate(i)
    shared_a[i] = x;
  }
  RIGHT_OR_WRONG("omp task depend(inout : x)", "omp task depend(in : x)")
  x = 2;
}
static void depend_readers(void) { in_team(readers); }

static void set(void) {
#pragma omp task depend(out : x)
  x = 0;
  for (int i = 0; i < 4; i++) {
    RIGHT_OR_WRONG("omp task depend(mutexinoutset : x)", "omp task depend(in : x)")
    x += 1;
  }
#pragma omp task depend(in : x)
  y = x;
}
static void mutexinoutset(void) { in_team(set); }

static void waiting(void) {
#pragma omp task depend(out : x)
  x = 1;
#pragma omp task depend(out : y)
  y = 1;
#ifdef WRONG
#pragma omp taskwait depend(in : y)
#else
#pragma omp taskwait depend(in : x)
#endif
  z = x;
}
static void taskwait_depend(void) { in_team(waiting); }

static void loop_variable(void) {
#ifdef WRONG
  static int i;
  for (i = 0; i < 4; i++) {
#pragma omp task shared(i)
    shared_a[i & 3] = i;
  }
#else
  for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
    shared_a[i & 3] = i;
  }
#endif
}
static void firstprivate(void) { in_team(loop_variable); }

static void undeferred_task(void) {
  RIGHT_OR_WRONG("omp task if (0)", "omp task if (1)")
  total = 4;
  x = total;
}
static void undeferred(void) { in_team(undeferred_task); }

static void final_task(void) {
#pragma omp task final(1)
  {
    RIGHT_OR_WRONG("omp task final(1)", "omp task")
    total = 4;
    x = total;
  }
#ifdef WRONG
#pragma omp task
  total = 5;
#endif
}
static void final_tasks(void) { in_team(final_task); }

static void loop_of_tasks(void) {
  RIGHT_OR_WRONG("omp taskloop grainsize(3)", "omp taskloop grainsize(3) nogroup")
  for (int i = 0; i < N; i++) shared_a[i] = i;
  total = shared_a[N - 1];
}
static void taskloop(void) { in_team(loop_of_tasks); }

static void taskloop_sum(void) {
#pragma omp parallel
#pragma omp single
  {
#ifdef WRONG
#pragma omp taskloop
#else
#pragma omp taskloop reduction(+ : total)
#endif
    for (int i = 0; i < N; i++) total += i;
  }
}

static void barrier_waits(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task
      total = 9;
    }
#ifndef WRONG
#pragma omp barrier
#endif
#pragma omp critical
    x = total;
  }
}

static void end_waits(void) {
#pragma omp parallel
#pragma omp single nowait
  {
#pragma omp task
    total = 9;
#ifdef WRONG
    total = 8;
#endif
  }
  x = total;
}

static void critical_task(void) {
  for (int i = 0; i < 4; i++) {
#pragma omp task
    {
#ifndef WRONG
#pragma omp critical
#endif
      total += 1;
    }
  }
}
static void critical_tasks(void) { in_team(critical_task); }

static void in_loop(void) {
#pragma omp parallel
  {
    int mine[N];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) {
      mine[i] = i;
#pragma omp task shared(mine)
      mine[i] += 1;
#ifndef WRONG
#pragma omp taskwait
#endif
      shared_a[i] = mine[i];
    }
#pragma omp barrier
  }
}

static void block_of_task(void) {
  int* const block = malloc(sizeof(int));
  *block = 1;
#pragma omp task firstprivate(block)
  total = *block;
#ifndef WRONG
#pragma omp taskwait
#endif
  free(block);
  x = 1;
}
static void heap(void) { in_team(block_of_task); }

static int of_thread;
#ifndef WRONG
#pragma omp threadprivate(of_thread)
#endif
static void thread_counts(void) {
#pragma omp parallel
  {
#ifndef WRONG
    of_thread = 0;
#endif
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
      of_thread += 1;
    }
  }
}

static void detached_task(void) {
  omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x)
  y = 1;
#pragma omp task firstprivate(event)
  {
#ifndef WRONG
    total = 1;
#endif
    omp_fulfill_event(event);
#ifdef WRONG
    total = 1;
#endif
  }
#pragma omp task depend(in : x)
  shared_a[0] = total;
}
static void detach(void) { in_team(detached_task); }

/* So many that some are executed where they are created, and ask for their thread's copy there. */
static void reduced(void) {
  int sum = 0, i;
#pragma omp parallel reduction(task, + : sum)
  {
#pragma omp single
    for (i = 0; i < 300; i++)
#pragma omp task in_reduction(+ : sum)
      EITHER(sum, total) += 1;
  }
}

RUN_CASES({"taskwait", taskwait}, {"siblings", siblings}, {"recursion", recursion}, {"taskgroup", taskgroup},
          {"depend", depend}, {"depend_readers", depend_readers}, {"mutexinoutset", mutexinoutset},
          {"taskwait_depend", taskwait_depend}, {"firstprivate", firstprivate}, {"undeferred", undeferred},
          {"final_tasks", final_tasks}, {"taskloop", taskloop}, {"taskloop_sum", taskloop_sum},
          {"barrier_waits", barrier_waits}, {"end_waits", end_waits}, {"critical_tasks", critical_tasks},
          {"in_loop", in_loop}, {"heap", heap}, {"thread_counts", thread_counts}, {"detach", detach},
          {"reduced", reduced})
