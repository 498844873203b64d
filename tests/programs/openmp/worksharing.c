/* SPDX-License-Identifier: GPL-2.0-or-later
 * Regions, loops, sections, single, barriers. */
#include <stdlib.h>

#include "cases.h"

/* Others might read them: nothing is optimised away. */
int shared_a[N + 8], shared_b[N + 8], total, counts[64][4], scratch_sum, ids[8];
#pragma omp threadprivate(scratch_sum)

static void reduction_static(void) {
  RIGHT_OR_WRONG("omp parallel for reduction(+ : total)", "omp parallel for")
  for (int i = 0; i < N; i++) total += i;
}

static void reduction_dynamic(void) {
  RIGHT_OR_WRONG("omp parallel for schedule(dynamic) reduction(+ : total)", "omp parallel for schedule(dynamic)")
  for (int i = 0; i < N; i++) total += i;
}

static void reduction_guided(void) {
  RIGHT_OR_WRONG("omp parallel for schedule(guided) reduction(max : total)", "omp parallel for schedule(guided)")
  for (int i = 0; i < N; i++) total = i > total ? i : total;
}

static void reduction_runtime(void) {
  omp_set_schedule(omp_sched_dynamic, 2);
  RIGHT_OR_WRONG("omp parallel for schedule(runtime) reduction(+ : total)", "omp parallel for schedule(runtime)")
  for (int i = 0; i < N; i++) total += i;
}

static void unsigned_loop(void) {
  RIGHT_OR_WRONG("omp parallel for schedule(dynamic, 3) reduction(+ : total)", "omp parallel for schedule(dynamic, 3)")
  for (unsigned long long i = 0; i < N; i++) total += (int)i;
}

static void carried(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 1; i < N; i++)
#ifdef WRONG
    shared_a[i] = shared_a[i - 1] + 1;
#else
    shared_a[i] = shared_b[i - 1] + 1;
#endif
}

int shared_temporary;
static void private_temporary(void) {
  RIGHT_OR_WRONG("omp parallel for schedule(dynamic) private(shared_temporary)", "omp parallel for schedule(dynamic)")
  for (int i = 0; i < N; i++) {
    shared_temporary = i * 2;
    shared_a[i] = shared_temporary;
  }
}

/* gcc's code has every thread store the last value of a loop that has no iteration. */
int last_value, none;
static void last_of_none(void) {
#ifdef WRONG
#pragma omp parallel for
  for (int i = 0; i < N; i++) last_value = i;
#else
  int i;
#pragma omp parallel for lastprivate(last_value) \
    lastprivate(i)
  for (i = 0; i < none; i++) last_value = i;
#endif
}

static void last_unwaited(void) {
#pragma omp parallel
  {
#ifdef WRONG
#pragma omp for lastprivate(last_value) nowait
#else
#pragma omp for lastprivate(last_value)
#endif
    for (int i = 0; i < N; i++) last_value = i;
    ids[omp_get_thread_num() % 8] = last_value;
  }
}

static void own_frames(void) {
#pragma omp parallel
  {
    volatile int mine[4] = {0};
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) mine[i % 4] += i;
#ifdef WRONG
    total += mine[0];
#else
#pragma omp atomic
    total += mine[0];
#endif
  }
}

static void nowait(void) {
#pragma omp parallel
  {
    RIGHT_OR_WRONG("omp for schedule(dynamic)", "omp for schedule(dynamic) nowait")
    for (int i = 0; i < N; i++) shared_a[i] = i;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) shared_b[i] = shared_a[N - 1 - i];
  }
}

static void two_static_loops(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N; i++) shared_a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
#ifdef WRONG
      shared_b[i] = shared_a[N - 1 - i];
#else
      shared_b[i] = shared_a[i];
#endif
  }
}

static void barrier(void) {
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    ids[me] = me + 1;
#ifndef WRONG
#pragma omp barrier
#endif
    shared_a[me] = ids[1 - me];
  }
}

static void sections(void) {
  RIGHT_OR_WRONG("omp parallel sections num_threads(2) reduction(+ : total)", "omp parallel sections num_threads(2)") {
    total += 1;
#pragma omp section
    total += 2;
  }
}

static void sections_inside(void) {
#pragma omp parallel
  {
    RIGHT_OR_WRONG("omp sections", "omp sections nowait") {
      shared_a[0] = 1;
#pragma omp section
      shared_a[1] = 2;
    }
#pragma omp sections
    {
      shared_b[0] = shared_a[1];
#pragma omp section
      shared_b[1] = shared_a[0];
    }
  }
}

static void single(void) {
#pragma omp parallel
  {
    RIGHT_OR_WRONG("omp single", "omp single nowait")
    total = 5;
    shared_a[omp_get_thread_num()] = total;
  }
}

static void copyprivate(void) {
  int value = 0;
#pragma omp parallel firstprivate(value)
  {
#pragma omp single copyprivate(value)
    value = ++total;
#ifdef WRONG
    shared_a[0] += value;
#else
#pragma omp atomic
    shared_a[0] += value;
#endif
  }
}

static void master(void) {
#pragma omp parallel
  {
#pragma omp master
    total = 7;
#ifndef WRONG
#pragma omp barrier
#endif
    if (total == 3) puts("three");
  }
}

static void after_region(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < N; i++) shared_a[i] = i;
#ifdef WRONG
#pragma omp single nowait
    total = shared_a[N - 1];
#endif
  }
  total = shared_a[N - 1];
}

static void own_histogram(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++)
#ifdef WRONG
      counts[0][i % 4]++;
#else
      counts[omp_get_thread_num()][i % 4]++;
#endif
  }
  total = counts[0][0] + counts[1][0];
}

static void own_scratch(void) {
#pragma omp parallel
  {
    int* const scratch = malloc(8 * sizeof(int));
    memset(scratch, 0, 8 * sizeof(int));
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) {
      scratch[i % 8] += i;
#ifdef WRONG
      total = scratch[0];
#else
      shared_a[i] = scratch[0];
#endif
    }
    free(scratch);
  }
}

static void threadprivate(void) {
#pragma omp parallel
  {
    scratch_sum = 0;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) scratch_sum += i;
#ifdef WRONG
    total += scratch_sum;
#else
#pragma omp critical
    total += scratch_sum;
#endif
  }
}

static void nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
#ifdef WRONG
      shared_a[2 * outer] = omp_get_thread_num();
#else
      shared_a[2 * outer + omp_get_thread_num()] = 1;
#endif
    }
    shared_b[outer] = shared_a[2 * outer];
  }
}

static void regions_in_turn(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++) shared_a[i] = i;
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < N; i++)
#ifdef WRONG
    shared_a[i / 2] += 1;
#else
    shared_b[i] = shared_a[N - 1 - i];
#endif
}

static void ordered(void) {
#pragma omp parallel for schedule(dynamic) ordered
  for (int i = 0; i < N; i++) {
#ifndef WRONG
#pragma omp ordered
#endif
    total = total * 2 + i;
  }
}

static void doacross(void) {
#pragma omp parallel for ordered(1) schedule(dynamic)
  for (int i = 1; i < N; i++) {
#ifdef WRONG
#pragma omp ordered depend(sink : i - 2)
#else
#pragma omp ordered depend(sink : i - 1)
#endif
    shared_a[i] = shared_a[i - 1] + i;
#pragma omp ordered depend(source)
  }
}

int square[6][6];
static void wavefront(void) {
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 1; i < 6; i++)
    for (int j = 1; j < 6; j++) {
#ifdef WRONG
#pragma omp ordered depend(sink : i, j - 1)
#else
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#endif
      square[i][j] = square[i - 1][j] + square[i][j - 1] + 1;
#pragma omp ordered depend(source)
    }
}

static void teams(void) {
  RIGHT_OR_WRONG("omp teams distribute num_teams(2) reduction(+ : total)", "omp teams distribute num_teams(2)")
  for (int i = 0; i < N; i++) total += i;
}

static void threads_of_teams(void) {
#pragma omp teams num_teams(2)
  {
    volatile int mine = 0;
#pragma omp parallel num_threads(2)
    {
      RIGHT_OR_WRONG("omp atomic", "omp master")
      mine += 1;
#pragma omp barrier
      RIGHT_OR_WRONG("omp single", "omp critical")
      shared_a[omp_get_team_num()] = mine;
#ifdef WRONG
      shared_b[0] = mine;
#endif
    }
  }
}

RUN_CASES({"reduction_static", reduction_static}, {"reduction_dynamic", reduction_dynamic},
          {"reduction_guided", reduction_guided}, {"reduction_runtime", reduction_runtime},
          {"unsigned_loop", unsigned_loop}, {"carried", carried}, {"private_temporary", private_temporary},
          {"last_of_none", last_of_none}, {"last_unwaited", last_unwaited},
          {"own_frames", own_frames}, {"nowait", nowait}, {"two_static_loops", two_static_loops}, {"barrier", barrier},
          {"sections", sections}, {"sections_inside", sections_inside}, {"single", single},
          {"copyprivate", copyprivate}, {"master", master}, {"after_region", after_region},
          {"own_histogram", own_histogram}, {"own_scratch", own_scratch}, {"threadprivate", threadprivate},
          {"nested", nested}, {"regions_in_turn", regions_in_turn}, {"ordered", ordered}, {"doacross", doacross},
          {"wavefront", wavefront}, {"teams", teams}, {"threads_of_teams", threads_of_teams})
