/* SPDX-License-Identifier: GPL-2.0-or-later
 * What only one thread does at a time. */
#include <stdatomic.h>
#include <stdlib.h>

#include "cases.h"

int total, box, filled;
double sum;
static omp_lock_t lock, other;
static omp_nest_lock_t nest;

static void critical(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++) {
#ifndef WRONG
#pragma omp critical
#endif
    total += i;
  }
}

static void two_names(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp critical(one)
    total += 1;
#pragma omp section
    {
      RIGHT_OR_WRONG("omp critical(one)", "omp critical(two)")
      total += 2;
    }
  }
}

static void atomic(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#ifdef WRONG
    if (i % 2)
      total += i;
    else
#endif
#pragma omp atomic
      total += i;
  }
}

static void atomic_double(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#ifndef WRONG
#pragma omp atomic
#endif
    sum += i;
  }
}

/* Without a clause an atomic operation orders nothing but itself. */
static int told, message;
static void atomic_orders(void) {
  told = message = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
      message = 1;
#ifdef WRONG
#pragma omp atomic
      told += 1;
#else
#pragma omp atomic release
      told += 1;
#endif
    }
#pragma omp section
    {
      int seen = 0;
      while (!seen)
#ifdef WRONG
#pragma omp atomic read
        seen = told;
#else
#pragma omp atomic read acquire
        seen = told;
#endif
      message += seen;
    }
  }
}

/* Instructions as any others, and no atomic one beside them. */
static void atomic_read_write(void) {
#pragma omp parallel sections num_threads(2)
  {
#ifdef WRONG
    box = 4;
#else
#pragma omp atomic write
    box = 4;
#endif
#pragma omp section
    {
      int seen;
#pragma omp atomic read
      seen = box;
      if (seen < 0) puts("negative");
    }
  }
}

/* A plain load beside atomic instructions, in memory that has had other lives. */
static void atomic_heap(void) {
  int* const sums = calloc(4, sizeof(int));
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++) {
    int seen = 0;
#ifdef WRONG
    if (i % 2)
      sums[1] += i;
    else
#endif
#pragma omp atomic
      sums[1] += i;
#pragma omp atomic read
    seen = sums[1];
    if (seen < 0) puts("negative");
  }
  free(sums);
}

static void locks(void) {
  omp_init_lock(&lock);
  omp_init_lock(&other);
#pragma omp parallel sections num_threads(2)
  {
    {
      omp_set_lock(&lock);
      total += 1;
      omp_unset_lock(&lock);
    }
#pragma omp section
    {
#ifdef WRONG
      omp_set_lock(&other);
      total += 2;
      omp_unset_lock(&other);
#else
      omp_set_lock(&lock);
      total += 2;
      omp_unset_lock(&lock);
#endif
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_lock(&other);
}

static void test_locks(void) {
  omp_init_lock(&lock);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++) {
    if (!omp_test_lock(&lock)) continue;
#ifdef WRONG
    omp_unset_lock(&lock);
    total += i;
#else
    total += i;
    omp_unset_lock(&lock);
#endif
  }
  omp_destroy_lock(&lock);
}

static void nest_locks(void) {
  omp_init_nest_lock(&nest);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++) {
#ifndef WRONG
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
#endif
    total += i;
#ifndef WRONG
    omp_unset_nest_lock(&nest);
    total += i;
    omp_unset_nest_lock(&nest);
#endif
  }
  omp_destroy_nest_lock(&nest);
}

/* Who waits for the lock knows that the other one has it. */
static void lock_across_barrier(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) omp_set_lock(&lock);
#ifndef WRONG
#pragma omp barrier
#endif
    if (omp_get_thread_num() == 0) {
      total = 1;
      omp_unset_lock(&lock);
    } else {
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
      total = 2;
    }
  }
  omp_destroy_lock(&lock);
}

static void put_and_take(void) {
  int taken = 0;
#pragma omp parallel sections num_threads(2)
  {
    {
#ifdef WRONG
#pragma omp critical
      filled = 1;
      box = 5;
#else
      box = 5;
#pragma omp critical
      filled = 1;
#endif
    }
#pragma omp section
    while (!taken) {
#pragma omp critical
      taken = filled;
#ifdef WRONG
      total = box;
#else
      if (taken) total = box;
#endif
    }
  }
}

static void lock_only_orders(void) {
#pragma omp parallel sections num_threads(2)
  {
    {
      total = 1;
#pragma omp critical
      box = 1;
    }
#pragma omp section
    {
#pragma omp critical
      box = 2;
#ifdef WRONG
      total = 2;
#endif
    }
  }
}

static atomic_int flag;
static void flag_with_order(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      box = 3;
      flag = 1;
    } else {
#ifndef WRONG
      while (!flag) {
      }
#endif
      total = box;
    }
  }
}

RUN_CASES({"critical", critical}, {"two_names", two_names}, {"atomic", atomic}, {"atomic_double", atomic_double},
          {"atomic_orders", atomic_orders}, {"atomic_read_write", atomic_read_write}, {"atomic_heap", atomic_heap},
          {"locks", locks}, {"test_locks", test_locks}, {"nest_locks", nest_locks},
          {"lock_across_barrier", lock_across_barrier}, {"put_and_take", put_and_take},
          {"lock_only_orders", lock_only_orders}, {"flag_with_order", flag_with_order})
