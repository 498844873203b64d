/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two threads whose order is forced, and not seen: by semaphores in hide regions. So what races and what does not
 * is the same in every run. A case is two functions; `in_turn' lets the first run to its end before the second. For
 * finer orders a function calls done(STEP) and await(STEP) itself. */
#ifndef TESTS_PROGRAMS_RACES_ORDER_H
#define TESTS_PROGRAMS_RACES_ORDER_H

#include <pthread.h>
#include <semaphore.h>

#include "cdrgrind/cdrgrind.h"

enum { kSteps = 256 };
static sem_t steps[kSteps];
static int used_steps;

static inline void done(int step) {
  CDRGRIND_HIDE_BEGIN;
  sem_post(&steps[step]);
  CDRGRIND_HIDE_END;
}

static inline void await(int step) {
  CDRGRIND_HIDE_BEGIN;
  sem_wait(&steps[step]);
  CDRGRIND_HIDE_END;
}

struct part {
  void (*run)(void);
  int before, after; /* steps; -1: none */
};

static inline void *run_part(void *p) {
  struct part *part = (struct part *)p;
  CDRGRIND_HIDE_BEGIN;
  int before = part->before, after = part->after;
  void (*run)(void) = part->run;
  CDRGRIND_HIDE_END;
  if (before >= 0) await(before);
  run();
  if (after >= 0) done(after);
  return 0;
}

/* Steps of their own for whoever asks. */
static inline int new_step(void) { return used_steps++; }

static inline void two_threads(struct part first, struct part second) {
  pthread_t a, b;
  pthread_create(&a, 0, run_part, &first);
  pthread_create(&b, 0, run_part, &second);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

static inline void in_turn(void (*first)(void), void (*second)(void)) {
  int step = new_step();
  struct part a = {first, -1, step}, b = {second, step, -1};
  two_threads(a, b);
}

/* Both at once: they order themselves. */
static inline void together(void (*first)(void), void (*second)(void)) {
  struct part a = {first, -1, -1}, b = {second, -1, -1};
  two_threads(a, b);
}

static inline void prepare(void) {
  for (int i = 0; i < kSteps; ++i) sem_init(&steps[i], 0, 0);
  used_steps = 100; /* those below are for the cases */
}

#endif
