/* SPDX-License-Identifier: GPL-2.0-or-later
 * Tasks that use variables of frames: of each case it is known whether a function may return before. Wrong ones only read
 * what they should not, so that they run to their end. */
#include <stdlib.h>

#include "cases.h"

int result;

#ifdef WRONG
/* A load whose value nobody wants would not be seen. */
#define PUT(variable, value)                                    \
  do {                                                          \
    (void)(value);                                              \
    if (*(volatile int*)&(variable) == 0x7ead5eed) abort();     \
  } while (0)
#else
#define PUT(variable, value) (variable) = (value)
#endif

static void in_team(void (*work)(void)) {
#pragma omp parallel
#pragma omp single
  work();
}

__attribute__((noinline)) static void add_one(void) {
  int local = 0;
#pragma omp task shared(local)
  PUT(local, 1);
#ifndef WRONG
#pragma omp taskwait
#endif
}
static void taskwait(void) { in_team(add_one); }

__attribute__((noinline)) static void add_in_group(void) {
  int grouped = 0;
#ifndef WRONG
#pragma omp taskgroup
#endif
  {
#pragma omp task shared(grouped)
    PUT(grouped, 1);
  }
}
static void taskgroup(void) { in_team(add_in_group); }

__attribute__((noinline)) static void add_in_turn(void) {
  int ordered = 0;
#pragma omp task shared(ordered) depend(inout : ordered)
  PUT(ordered, 1);
#pragma omp task shared(ordered) depend(inout : ordered)
  PUT(ordered, 1);
#ifdef WRONG
#pragma omp taskwait depend(in : result)
#else
#pragma omp taskwait depend(in : ordered)
#endif
}
static void depend(void) { in_team(add_in_turn); }

__attribute__((noinline)) static void part_of_team(void) {
  int mine = 0;
#pragma omp task shared(mine)
  PUT(mine, 1);
#ifndef WRONG
#pragma omp barrier
#endif
}
static void barrier(void) {
#pragma omp parallel
  part_of_team();
}

static void region_ends(void) {
#ifndef WRONG
  int outside = 0;
#endif
#pragma omp parallel
#pragma omp single nowait
  {
#ifdef WRONG
    int outside = 0;
#endif
#pragma omp task shared(outside)
    PUT(outside, 1);
  }
}

__attribute__((noinline)) static void set(int* where) {
#pragma omp task firstprivate(where)
  PUT(*where, 1);
}
__attribute__((noinline)) static void let_set(void) {
  int target = 0;
  set(&target);
#ifndef WRONG
#pragma omp taskwait
#endif
}
static void nested_function(void) { in_team(let_set); }

__attribute__((noinline)) static int fib(int n) {
  if (n < 2) return n;
  int left = 0, right = 0;
#pragma omp task shared(left)
  PUT(left, fib(n - 1));
  right = fib(n - 2);
#ifndef WRONG
#pragma omp taskwait
#endif
  return left + right;
}
static void run_fib(void) { result = fib(6); }
static void recursion(void) { in_team(run_fib); }

__attribute__((noinline)) static void grand_children(void) {
  int grand = 0;
#pragma omp task shared(grand)
  {
#pragma omp task shared(grand)
    PUT(grand, 1);
#ifndef WRONG
#pragma omp taskwait
#endif
  }
#pragma omp taskwait
}
static void grand_child(void) { in_team(grand_children); }

__attribute__((noinline)) static void fill(void) {
  int array[200];
#ifdef WRONG
#pragma omp taskloop shared(array) nogroup
#else
#pragma omp taskloop shared(array)
#endif
  for (int i = 0; i < 200; i++) PUT(array[i], i);
}
static void taskloop(void) { in_team(fill); }

__attribute__((noinline)) static void copies(void) {
  int copied = 3;
#ifdef WRONG
#pragma omp task shared(copied)
#else
#pragma omp task firstprivate(copied)
#endif
  {
    PUT(copied, 1);
#pragma omp atomic write
    result = copied;
  }
}
static void firstprivate(void) { in_team(copies); }

__attribute__((noinline)) static void at_once(void) {
  int now = 0;
#ifdef WRONG
#pragma omp task shared(now)
#else
#pragma omp task shared(now) if (0)
#endif
  PUT(now, 1);
}
static void undeferred(void) { in_team(at_once); }

/* Frames of functions that come later at the same place are others'. */
__attribute__((noinline)) static void uses_stack(int n) {
  volatile int later[64];
  for (int i = 0; i < 64; i++) later[i] = n;
}
__attribute__((noinline)) static void returns_first(void) {
#ifdef WRONG
  int gone[32];
#pragma omp task shared(gone)
  PUT(gone[7], 1);
#else
#pragma omp task
  uses_stack(1);
#endif
}
static void later_frames(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 3; i++) {
    returns_first();
    uses_stack(2);
  }
}

RUN_CASES({"taskwait", taskwait}, {"taskgroup", taskgroup}, {"depend", depend}, {"barrier", barrier},
          {"region_ends", region_ends}, {"nested_function", nested_function}, {"recursion", recursion},
          {"grand_child", grand_child}, {"taskloop", taskloop}, {"firstprivate", firstprivate},
          {"undeferred", undeferred}, {"later_frames", later_frames})
