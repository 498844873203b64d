/* SPDX-License-Identifier: GPL-2.0-or-later
 * Target constructs, executed by the host. */
#include "cases.h"

int total, x, y, shared_a[N], shared_b[N], kept[N];

static void parallel_for(void) {
#ifdef WRONG
#pragma omp target parallel for map(tofrom : total)
#else
#pragma omp target parallel for map(tofrom : total) reduction(+ : total)
#endif
  for (int i = 0; i < N; i++) total += i;
}

static void distribute(void) {
#ifdef WRONG
#pragma omp target teams distribute num_teams(3) map(tofrom : total)
#else
#pragma omp target teams distribute num_teams(3) map(tofrom : total) reduction(+ : total)
#endif
  for (int i = 0; i < N; i++) total += i;
}

static void distribute_parallel_for(void) {
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom : shared_a, shared_b)
  for (int i = 0; i < N; i++) {
    shared_a[i] = shared_b[i] + i;
#ifdef WRONG
    shared_b[0] = i;
#endif
  }
}

/* As DataRaceBench's target-teams: teams are not in order, whatever each of them does. */
static void between_teams(void) {
#pragma omp target map(tofrom : shared_a)
#pragma omp teams num_teams(2)
  {
#ifdef WRONG
    shared_a[1] *= 2;
#else
    shared_a[omp_get_team_num()] *= 2;
#endif
  }
}

/* As many teams as the library makes: gcc's makes one. */
static void one_team(void) {
#pragma omp target teams distribute map(tofrom : shared_a, shared_b)
  for (int i = 0; i < N; i++) {
#ifdef WRONG
    shared_a[i] = shared_a[N - 1 - i] + 1;
#else
    shared_a[i] = shared_b[N - 1 - i] + 1;
#endif
  }
}

/* A critical region is that of one team, and of all that it begins. */
static void critical_of_teams(void) {
#pragma omp target teams num_teams(2) map(tofrom : shared_a)
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
#ifdef WRONG
    shared_a[3] += 1;
#else
    shared_a[omp_get_team_num()] += 1;
#endif
  }
}

static void own_of_team(void) {
#pragma omp target teams num_teams(2) map(tofrom : shared_b)
  {
    volatile int mine = omp_get_team_num();
#pragma omp parallel num_threads(2)
    {
      RIGHT_OR_WRONG("omp atomic", "omp master")
      mine += 1;
#pragma omp barrier
#ifdef WRONG
      shared_b[2] = mine;
#else
      if (mine < 0) x = mine;
#endif
    }
    shared_b[omp_get_team_num()] = mine;
  }
}

static void wait_for_nowait(void) {
#pragma omp target nowait map(tofrom : total)
  total += 1;
#ifndef WRONG
#pragma omp taskwait
#endif
  x = total;
#pragma omp taskwait
}

static void chained(void) {
#ifdef WRONG
#pragma omp target nowait map(tofrom : shared_a) depend(out : x)
#else
#pragma omp target nowait map(tofrom : shared_a) depend(out : shared_a)
#endif
  for (int i = 0; i < N; i++) shared_a[i] = i;
#pragma omp target nowait map(tofrom : shared_a) depend(inout : shared_a)
  for (int i = 0; i < N; i++) shared_a[i] *= 2;
#pragma omp taskwait
}

/* The host waits for the task by what its next construct depends on. */
static void depends(void) {
#pragma omp target nowait map(tofrom : shared_b) depend(out : shared_b)
  for (int i = 0; i < N; i++) shared_b[i] = i;
#ifdef WRONG
#pragma omp target map(tofrom : shared_b) depend(in : x)
#else
#pragma omp target map(tofrom : shared_b) depend(in : shared_b)
#endif
  shared_b[0] += shared_b[1];
#pragma omp taskwait
}

static void in_task(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : y)
    y = 1;
#ifdef WRONG
#pragma omp target nowait map(tofrom : y)
#else
#pragma omp target nowait map(tofrom : y) depend(inout : y)
#endif
    y += 1;
  }
}

static void behind_barrier(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
#pragma omp target nowait map(tofrom : total)
      total += 1;
    }
#ifndef WRONG
#pragma omp barrier
#endif
#pragma omp critical
    kept[omp_get_thread_num()] = total;
  }
}

static void group(void) {
#pragma omp taskgroup
  {
#pragma omp target nowait map(tofrom : x)
    x = 1;
#ifdef WRONG
    x = 2;
#endif
  }
  x = 3;
}

static void copied(void) {
  int value = 1;
#ifdef WRONG
#pragma omp target nowait map(tofrom : value, total)
#else
#pragma omp target nowait firstprivate(value) map(tofrom : total)
#endif
  total = value;
  value = 2;
#pragma omp taskwait
}

static void update(void) {
#pragma omp target nowait map(tofrom : total) depend(out : total)
  total = 4;
#ifdef WRONG
#pragma omp target update from(total) depend(in : x)
#else
#pragma omp target update from(total) depend(in : total)
#endif
  x = total;
#pragma omp taskwait
}

RUN_CASES({"parallel_for", parallel_for}, {"distribute", distribute},
          {"distribute_parallel_for", distribute_parallel_for}, {"between_teams", between_teams},
          {"one_team", one_team}, {"critical_of_teams", critical_of_teams}, {"own_of_team", own_of_team},
          {"wait_for_nowait", wait_for_nowait}, {"chained", chained}, {"depends", depends}, {"in_task", in_task},
          {"behind_barrier", behind_barrier}, {"group", group}, {"copied", copied}, {"update", update})
