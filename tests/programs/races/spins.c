/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loops that wait for a plain variable, and some that only look like it. What a loop guards is guarded_*; it races
 * if the loop is none that waits. Most never spin, for the order is forced: the code decides. Compiled twice: as it is
 * written, and by an optimising compiler. */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "order.h"

/* Another function is called between two looks. */
static volatile int yields;
static volatile int guarded_by_yield;
static void yield_1(void) { guarded_by_yield = 1; yields = 1; }
static void yield_2(void) {
  while (!yields) sched_yield();
  guarded_by_yield = 2;
}

static volatile int sleeps;
static volatile int guarded_by_sleep;
static void sleep_1(void) { guarded_by_sleep = 1; sleeps = 1; }
static void sleep_2(void) {
  while (!sleeps) {
    struct timespec t = {0, 1000};
    nanosleep(&t, 0);
  }
  guarded_by_sleep = 2;
}

static volatile char pauses;
static volatile int guarded_by_pause;
static void pause_1(void) { guarded_by_pause = 1; pauses = 1; }
static void pause_2(void) {
  while (!pauses) __builtin_ia32_pause();
  guarded_by_pause = 2;
}

/* Nothing is reordered between two looks. */
static volatile int fences;
static volatile int guarded_by_fence;
static void fence_1(void) {
  guarded_by_fence = 1;
  fences = 1;
}
static void fence_2(void) {
  while (!fences) __sync_synchronize();
  guarded_by_fence = 2;
}

/* Looks first after it has waited. */
static volatile int late;
static volatile int guarded_by_late;
static void late_1(void) { guarded_by_late = 1; late = 1; }
static void late_2(void) {
  do sched_yield();
  while (!late);
  guarded_by_late = 2;
}

/* The flag is behind a pointer. */
struct gate { int number; volatile int open; };
static struct gate the_gate, *gate = &the_gate;
static volatile int guarded_by_pointer;
static void pointer_1(void) { guarded_by_pointer = 1; gate->open = 1; }
static void pointer_2(void) {
  struct gate *g = gate;
  while (!g->open) sched_yield();
  guarded_by_pointer = 2;
}

/* The flag is one of many, far apart, of structures, whose place is computed in the loop. */
static struct place { int filling[15]; volatile int ready; } places[8];
static volatile int guarded_by_place;
static int group = 1;
static void place_1(void) { guarded_by_place = 1; places[group * 2 + 3].ready = 1; }
static void place_2(void) {
  int me = group;
  while (places[(me + group - 1) * 2 + 3].ready == 0) sched_yield();
  guarded_by_place = 2;
}

/* Which of several is read anew each time from what is the thread's own: an index, a pointer. An optimising compiler
 * knows it at the first look. */
static volatile int own_places[2];
static __thread int own_place;
static volatile int guarded_by_own_index;
static void own_index_1(void) { guarded_by_own_index = 1; own_places[1] = 1; }
static void own_index_2(void) {
  own_place = 1;
  while (own_places[own_place] == 0) __sync_synchronize();
  guarded_by_own_index = 2;
}

static volatile int pointed[2];
static __thread volatile int *own_pointer;
static volatile int guarded_by_own_pointer;
static void own_pointer_1(void) { guarded_by_own_pointer = 1; pointed[1] = 1; }
static void own_pointer_2(void) {
  own_pointer = &pointed[1];
  while (*own_pointer == 0) __sync_synchronize();
  guarded_by_own_pointer = 2;
}

/* The same, of what everybody has. */
static volatile int known_places[2];
int known_place;
static volatile int guarded_by_known_place;
static void known_place_1(void) { guarded_by_known_place = 1; known_places[1] = 1; }
static void known_place_2(void) {
  known_place = 1;
  while (known_places[known_place] == 0) __sync_synchronize();
  guarded_by_known_place = 2;
}

/* In a loop around it, from whose end a way leads back to it on which nothing is stored. */
static volatile int turns;
static volatile int guarded_by_turn;
static int turns_to_go = 1, to_do;
static void turn_1(void) { guarded_by_turn = 1; turns = 1; }
static void turn_2(void) {
  for (int t = 0; t < turns_to_go; t++) {
    while (turns == 0) {}
    for (int i = 0; i < to_do; i++) guarded_by_turn++;
  }
  guarded_by_turn = 2;
}

/* Of several variables, against a value that is not constant. */
static volatile int one_of_two, two_of_two;
static int wanted = 3;
static volatile int guarded_by_two;
static void two_1(void) { guarded_by_two = 1; one_of_two = 3; two_of_two = 3; }
static void two_2(void) {
  int want = wanted;
  while (one_of_two != want || two_of_two != want) sched_yield();
  guarded_by_two = 2;
}

/* A loop that gives up after some looks: it ends because of the flag here. */
static volatile int patience;
static volatile int guarded_by_patience;
static void patience_1(void) { guarded_by_patience = 1; patience = 1; }
static void patience_2(void) {
  for (int i = 0; i < 1000; ++i) {
    if (patience) break;
    sched_yield();
  }
  guarded_by_patience = 2;
}

/* Here it has given up. */
static volatile int impatience;
static volatile int beside_impatience;
static void impatience_1(void) { beside_impatience = 1; }
static void impatience_2(void) {
  for (int i = 0; i < 3; ++i) {
    if (impatience) break;
    sched_yield();
  }
  beside_impatience = 2;
}

/* Looks as often, whatever it finds. */
static volatile int glances;
static int looks = 3;
static volatile int beside_glances;
static void glances_1(void) { beside_glances = 1; glances = 1; }
static void glances_2(void) {
  volatile int found = 0;
  for (int i = 0; i < looks; ++i)
    if (glances) ++found;
  beside_glances = 2;
}

/* An `if' is no loop. */
static volatile int asked;
static volatile int beside_if;
static void if_1(void) { beside_if = 1; asked = 1; }
static void if_2(void) { if (asked) beside_if = 2; }

/* A loop that does something. */
static volatile int works, work;
static volatile int beside_work;
static void work_1(void) { beside_work = 1; works = 1; }
static void work_2(void) {
  while (!works) ++work;
  beside_work = 2;
}

/* A loop that looks elsewhere each time. */
static volatile int searched[4];
static volatile int beside_search;
static void search_1(void) { beside_search = 1; searched[2] = 1; }
static void search_2(void) {
  volatile int *p = searched;
  while (!*p) ++p;
  beside_search = 2;
}

/* The same, where the thread's own tells. */
static volatile int own_searched[4];
static __thread int own_step;
static volatile int beside_own_search;
static void own_search_1(void) { beside_own_search = 1; own_searched[2] = 1; }
static void own_search_2(void) {
  while (own_searched[own_step] == 0) ++*(volatile int *)&own_step;
  beside_own_search = 2;
}

/* What is tested before a loop is another flag than the loop's. */
static volatile int other_first, other_places[2];
int other_place;
static volatile int beside_other_first;
static void other_first_1(void) { beside_other_first = 1; other_first = 1; }
static void other_first_2(void) {
  other_place = 1;
  if (other_first == 0) do __sync_synchronize(); while (other_places[other_place] == 0);
  beside_other_first = 2;
}

/* Both at once: who waits really waits. */
static volatile int really;
static volatile int guarded_really;
static void really_1(void) { usleep(20000); guarded_really = 1; really = 1; }
static void really_2(void) {
  while (!really) sched_yield();
  guarded_really = 2;
}

int main(void) {
  prepare();
  in_turn(yield_1, yield_2);
  in_turn(sleep_1, sleep_2);
  in_turn(pause_1, pause_2);
  in_turn(fence_1, fence_2);
  in_turn(late_1, late_2);
  in_turn(pointer_1, pointer_2);
  in_turn(place_1, place_2);
  in_turn(own_index_1, own_index_2);
  in_turn(own_pointer_1, own_pointer_2);
  in_turn(known_place_1, known_place_2);
  in_turn(turn_1, turn_2);
  in_turn(two_1, two_2);
  in_turn(patience_1, patience_2);
  in_turn(impatience_1, impatience_2);
  in_turn(glances_1, glances_2);
  in_turn(if_1, if_2);
  in_turn(work_1, work_2);
  in_turn(search_1, search_2);
  in_turn(own_search_1, own_search_2);
  in_turn(other_first_1, other_first_2);
  together(really_1, really_2);
  return 0;
}
