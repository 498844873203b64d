/* SPDX-License-Identifier: GPL-2.0-or-later
 * What one iteration of a shared loop does to another, also where one thread executed both. */
#include <stdlib.h>

#include "cases.h"

/* Every access is one of the program's. */
volatile int from[N + 8], to[N + 8], total, square[N][N];
volatile char bytes[N + 8];
int width = 5;

#ifdef WRONG
#define EITHER(right, wrong) wrong
#define IN_RIGHT(pragma)
#else
#define EITHER(right, wrong) right
#define IN_RIGHT(pragma) _Pragma(pragma)
#endif
#define ONE_BEFORE(i) EITHER(from, to)[(i)-1]

static void static_loop(void) {
#pragma omp parallel for
  for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}

static void static_chunks(void) {
#pragma omp parallel for schedule(static, 4)
  for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}

static void in_turn(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 2; i < N; i++) to[i] = ONE_BEFORE(i - 1) + 1;
}

static void dynamic_chunks(void) {
#pragma omp parallel for schedule(dynamic, 6)
  for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}

/* Of a word that is stored as a whole one half is other iterations', too, in another loop. */
static volatile union {
  unsigned long long whole;
  unsigned half[2];
} words[N + 1];
static void halves(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    words[i / 2].half[0]++;
  }
#pragma omp parallel for
  for (int i = 1; i < N; i++) words[i].whole = words[i].half[0] + words[EITHER(i, i - 1)].half[1];
}

/* What a chunk of the size that is asked for does is one thread's. */
static void words_of_chunks(void) {
  RIGHT_OR_WRONG("omp parallel for schedule(dynamic, 8)", "omp parallel for schedule(dynamic, 4)")
  for (int i = 0; i < N; i++) to[i / 8] |= 1 << i % 8;
}

static void guided(void) {
#pragma omp parallel for schedule(guided)
  for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}

static void runtime(void) {
  omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel for schedule(runtime)
  for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}

static void wide_loop(void) {
#pragma omp parallel
#pragma omp for schedule(dynamic, 8) nowait
  for (unsigned long long i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}

static void downward(void) {
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = N - 1; i > 0; i -= 2) to[i] = EITHER(from, to)[i + 2] + 1;
}

/* An optimiser leaves one call that asks for the thread's number: that of master. */
static void behind_master(void) {
#pragma omp parallel
  {
#pragma omp master
    total++;
#pragma omp for
    for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
  }
}

static void neighbours(void) {
#pragma omp parallel for
  for (int i = 1; i < N; i++) bytes[i] = EITHER((char)i, bytes[i - 1]);
}

int temporary;
static void private_copy(void) {
  RIGHT_OR_WRONG("omp parallel for private(temporary)", "omp parallel for")
  for (int i = 0; i < N; i++) {
    temporary = i * 2;
    __asm__ volatile("" ::: "memory");
    to[i] = temporary;
  }
}

static void last_value(void) {
  RIGHT_OR_WRONG("omp parallel for lastprivate(temporary) schedule(static)", "omp parallel for schedule(static)")
  for (int i = 0; i < N; i++) {
    temporary = i * 2;
    __asm__ volatile("" ::: "memory");
    to[i] = temporary;
  }
}

int mine;
#ifndef WRONG
#pragma omp threadprivate(mine)
#endif
static void threadprivate(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++) {
      mine += i;
      __asm__ volatile("" ::: "memory");
    }
#pragma omp for schedule(dynamic, 5)
    for (int i = 0; i < N; i++) {
      mine += i;
      __asm__ volatile("" ::: "memory");
    }
  }
}

static void sum(void) {
  volatile int here = 0;
  RIGHT_OR_WRONG("omp parallel for reduction(+ : here)", "omp parallel for")
  for (int i = 0; i < N; i++) here += i;
}

/* The sum of a double is added up in a loop of the compiler's. */
static void beside_sum(void) {
  double here = 0;
#pragma omp parallel for reduction(+ : here)
  for (int i = 1; i < N; i++) {
    to[i] = ONE_BEFORE(i) + 1;
    here += to[i];
  }
  total += (int)here;
}

static void critical(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    to[i] = i;
    IN_RIGHT("omp critical")
    total += to[i];
  }
}

static void atomic(void) {
#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 0; i < N; i++) {
    RIGHT_OR_WRONG("omp atomic", "omp flush")
    total += i;
  }
}

static void one_after_the_other(void) {
#pragma omp parallel for ordered
  for (int i = 1; i < N; i++) {
    IN_RIGHT("omp ordered")
    to[i] = to[i - 1] + 1;
  }
}

static void ordered_chunks(void) {
#pragma omp parallel for ordered schedule(dynamic, 4)
  for (int i = 1; i < N; i++) {
    to[i] = from[i];
    IN_RIGHT("omp ordered")
    total += i;
  }
}

static void doacross(void) {
#pragma omp parallel for ordered(1)
  for (int i = 2; i < N; i++) {
#ifdef WRONG
#pragma omp ordered depend(sink : i - 2)
#else
#pragma omp ordered depend(sink : i - 1)
#endif
    to[i] = to[i - 1] + i;
#pragma omp ordered depend(source)
  }
}

static void collapsed(void) {
#pragma omp parallel for collapse(2) schedule(dynamic, 5)
  for (int i = 0; i < N; i++)
    for (int j = 1; j < 4; j++) square[i][j] = square[i][EITHER(j, j - 1)] + 1;
}

static void rows(void) {
#pragma omp parallel for
  for (int i = 1; i < N; i++)
    for (int j = 1; j < width; j++) square[i][j] = square[EITHER(i, i - 1)][j - 1];
}

static void rows_in_chunks(void) {
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 1; i < N; i++) {
    if (i % 5 == 4) continue;
    for (int j = 1; j < width; j++) {
      square[i][j] = square[EITHER(i, i - 1)][j - 1];
      if (j == i) break;
    }
  }
}

static void add_up(void) {
#pragma omp for nowait
  for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}
static void orphaned(void) {
  add_up();
#pragma omp parallel
  add_up();
}

static void if_clause(void) {
  RIGHT_OR_WRONG("omp parallel for if (0)", "omp parallel for")
  for (int i = 1; i < N; i++) to[i] = to[i - 1] + 1;
  RIGHT_OR_WRONG("omp parallel for if (total < 0) schedule(dynamic, 3)", "omp parallel for schedule(dynamic, 3)")
  for (int i = 1; i < N; i++) to[i] = to[i - 1] + 1;
}

static void one_thread(void) {
  RIGHT_OR_WRONG("omp parallel for num_threads(1)", "omp parallel for")
  for (int i = 1; i < N; i++) to[i] = to[i - 1] + 1;
  RIGHT_OR_WRONG("omp parallel for num_threads(1) schedule(dynamic)", "omp parallel for schedule(dynamic)")
  for (int i = 1; i < N; i++) to[i] = to[i - 1] + 1;
}

static void taskloop(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(8)
  for (int i = 1; i < N; i++) to[i] = ONE_BEFORE(i) + 1;
}

/* Not known to be a thread's own by its address. */
static __thread volatile int* block;
static void own_block(void) {
#pragma omp parallel
  block = calloc(8, sizeof(int));
#pragma omp parallel
  {
    volatile int* const buffer = EITHER(block, to);
#pragma omp for
    for (int i = 0; i < N; i++) buffer[i % 8] = i;
#pragma omp for schedule(dynamic, 5)
    for (int i = 0; i < N; i++) buffer[i % 8] = i;
    free((void*)block);
  }
}

static void scratch(void) {
#pragma omp parallel
  {
    volatile int* const mine = malloc(8 * sizeof(int));
#pragma omp for
    for (int i = 0; i < N; i++) {
      mine[i % 8] = i;
      to[i] = mine[i % 8] + to[EITHER(i, 0)];
    }
    free((void*)mine);
  }
}

/* What a thread asks for its number does not change what it did before. */
static void asks_late(void) {
#pragma omp parallel
  {
#ifdef WRONG
#pragma omp for
#else
#pragma omp single
#endif
    for (int i = 0; i < N; i++) {
      total += i;
      if (i == N / 2) from[0] = EITHER(omp_get_thread_num(), 0);
    }
  }
}

/* Iterations have shared what was there before. */
static void block_anew(void) {
  volatile int* const before = malloc(64 * sizeof(int));
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    before[i % 8]++;
  }
  free((void*)before);
#pragma omp parallel
  {
    volatile int* const mine = EITHER(malloc(64 * sizeof(int)), to);
#pragma omp for schedule(dynamic, 5) nowait
    for (int i = 0; i < N; i++) mine[i % 8] = i + from[i];
    for (int j = 0; j < 8; j++) mine[j] += from[j];
    EITHER(free((void*)mine), (void)0);
  }
}

volatile int histogram[64][16];
static void own_histogram(void) {
#pragma omp parallel
  {
    const int me = EITHER(omp_get_thread_num(), 0);
    volatile int* const own = histogram[me];
#pragma omp for
    for (int i = 0; i < N; i++) own[i % 4]++;
#pragma omp for
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < omp_get_num_threads(); k++) to[j] += histogram[k][j];
  }
}

typedef struct Piece {
  struct Piece* next;
  volatile int used;
} Piece;
static Piece pieces[4], *volatile top;
static void pool(void) {
  for (int i = 0; i < 3; i++) pieces[i].next = &pieces[i + 1];
  top = pieces;
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    Piece* p;
    IN_RIGHT("omp critical(pool)") {
      p = top;
      top = p->next;
    }
    p->used += i;
    IN_RIGHT("omp critical(pool)") {
      p->next = top;
      top = p;
    }
  }
}

static void two_loops(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 1; i < N; i++) to[i] = from[i] + to[EITHER(i, 1)];
#pragma omp for schedule(static)
    for (int i = 1; i < N; i++) from[i] = to[i] + from[i];
  }
}

static void again(void) {
#pragma omp parallel
  for (int k = 0; k < width; k++) {
#ifdef WRONG
#pragma omp for nowait schedule(dynamic, 6)
#else
#pragma omp for nowait
#endif
    for (int i = 1; i < N; i++) to[i] += to[EITHER(i, 1)];
  }
}

static void equal_loops(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 1; i < N; i++) to[i] = i;
#pragma omp for schedule(static) nowait
    for (int i = 1; i < N; i++) from[i] = i;
#pragma omp for schedule(static)
    for (int i = 1; i < N; i++) from[i] += to[EITHER(i, N - i)];
  }
}

static void shifted(void) {
#pragma omp parallel
  for (int k = 0; k < width; k++) {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N / 2; i++) to[EITHER(i, i + k)] += k;
  }
}

static void swept(void) {
#pragma omp parallel
  for (int k = 0; k < 2; k++) {
#pragma omp for schedule(static)
    for (int i = 1; i < N; i++)
      for (int j = 1; j < width; j++) square[i][j] += square[EITHER(i, i - 1)][j - 1];
  }
}

/* Of the loop in the middle the source does not say how it is cut. */
static void one_unknown(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 1; i < N; i++) to[i] = to[EITHER(i, i - 1)] + 1;
#ifdef NEVER
#pragma omp for schedule(static, 3) nowait
#else
#pragma omp for schedule(static) nowait
#endif
    for (int i = 1; i < N; i++) to[i] += i;
#pragma omp for schedule(static)
    for (int i = 1; i < N; i++) from[i] = to[i];
  }
}

RUN_CASES({"static_loop", static_loop}, {"static_chunks", static_chunks}, {"in_turn", in_turn},
          {"dynamic_chunks", dynamic_chunks}, {"halves", halves}, {"words_of_chunks", words_of_chunks}, {"guided", guided}, {"runtime", runtime}, {"wide_loop", wide_loop},
          {"downward", downward}, {"behind_master", behind_master}, {"neighbours", neighbours},
          {"private_copy", private_copy}, {"last_value", last_value}, {"threadprivate", threadprivate}, {"sum", sum},
          {"beside_sum", beside_sum}, {"critical", critical}, {"atomic", atomic},
          {"one_after_the_other", one_after_the_other}, {"ordered_chunks", ordered_chunks}, {"doacross", doacross},
          {"collapsed", collapsed}, {"rows", rows}, {"rows_in_chunks", rows_in_chunks}, {"orphaned", orphaned},
          {"if_clause", if_clause}, {"one_thread", one_thread}, {"taskloop", taskloop}, {"own_block", own_block},
          {"scratch", scratch}, {"asks_late", asks_late}, {"block_anew", block_anew}, {"own_histogram", own_histogram}, {"pool", pool}, {"two_loops", two_loops},
          {"again", again}, {"equal_loops", equal_loops}, {"shifted", shifted},
          {"swept", swept}, {"one_unknown", one_unknown})
