/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting by the futex system call alone, and what only looks like it. Who waits really waits: the other one tries to
 * wake him until somebody was woken, and only then goes on. What a loop guards is guarded_*, what none does beside_*. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "order.h"

typedef volatile int word;

static int futex_wait(word *w, int value) { return (int)syscall(SYS_futex, w, FUTEX_WAIT_PRIVATE, value, 0, 0, 0); }
static int futex_wake(word *w, int count) { return (int)syscall(SYS_futex, w, FUTEX_WAKE_PRIVATE, count, 0, 0, 0); }

static void wake_one_for_nothing(word *w) {
  CDRGRIND_HIDE_BEGIN;
  while (futex_wake(w, 1) == 0) usleep(1000);
  CDRGRIND_HIDE_END;
}

/* The word is set by a plain store: a race, but it orders. */
static word plain;
static int guarded_by_plain;
static void plain_1(void) {
  wake_one_for_nothing(&plain);
  guarded_by_plain = 1;
  plain = 1;
  futex_wake(&plain, 1);
}
static void plain_2(void) {
  while (!plain) futex_wait(&plain, 0);
  guarded_by_plain = 2;
}

/* As it should be. */
static word event;
static int guarded_by_event;
static void event_1(void) {
  wake_one_for_nothing(&event);
  guarded_by_event = 1;
  __atomic_store_n(&event, 1, __ATOMIC_RELEASE);
  futex_wake(&event, 1);
}
static void event_2(void) {
  while (!__atomic_load_n(&event, __ATOMIC_ACQUIRE)) futex_wait(&event, 0);
  guarded_by_event = 2;
}

/* The test, the call and the loop stand in functions of their own; the word behind a pointer, the call by bits. */
struct gate { int number; word open; };
static struct gate the_gate;
static int guarded_by_gate;
static int is_open(struct gate *g) { return g->open; }
static void wait_at(struct gate *g) {
  syscall(SYS_futex, &g->open, FUTEX_WAIT_BITSET, 0, 0, 0, FUTEX_BITSET_MATCH_ANY);
}
static void pass(struct gate *g) {
  while (!is_open(g)) wait_at(g);
}
static void gate_1(void) {
  CDRGRIND_HIDE_BEGIN;
  while (syscall(SYS_futex, &the_gate.open, FUTEX_WAKE, 1, 0, 0, 0) == 0) usleep(1000);
  CDRGRIND_HIDE_END;
  guarded_by_gate = 1;
  the_gate.open = 1;
  syscall(SYS_futex, &the_gate.open, FUTEX_WAKE, 1, 0, 0, 0);
}
static void gate_2(void) {
  pass(&the_gate);
  guarded_by_gate = 2;
}

/* A mutex: 0 free, 1 held, 2 held and somebody waits. */
static word lock;
static int guarded_by_lock;
static void acquire(void) {
  int seen = 0;
  if (__atomic_compare_exchange_n(&lock, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
  if (seen != 2) seen = __atomic_exchange_n(&lock, 2, __ATOMIC_ACQUIRE);
  while (seen != 0) {
    futex_wait(&lock, 2);
    seen = __atomic_exchange_n(&lock, 2, __ATOMIC_ACQUIRE);
  }
}
static void release(void) {
  if (__atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE) == 2) futex_wake(&lock, 1);
}
static void lock_1(void) {
  for (int i = 0; i < 20; ++i) {
    acquire();
    ++guarded_by_lock;
    release();
  }
}

/* A barrier; what the last one does is there for all others. */
static word arrived, generation;
static int guarded_by_barrier;
static void meet(void) {
  int now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == 2) {
    __atomic_store_n(&arrived, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&generation, now + 1, __ATOMIC_RELEASE);
    futex_wake(&generation, 1);
    return;
  }
  while (__atomic_load_n(&generation, __ATOMIC_ACQUIRE) == now) futex_wait(&generation, now);
}
static void barrier_1(void) {
  wake_one_for_nothing(&generation);
  guarded_by_barrier = 1;
  meet();
  meet();
  guarded_by_barrier += 1;
}
static void barrier_2(void) {
  meet();
  guarded_by_barrier += 1;
  meet();
}

/* The loop waits for another word than the one that it tests. */
static word tested, other;
static int beside_other;
static void other_1(void) {
  wake_one_for_nothing(&other);
  beside_other = 1;
  tested = 1;
  other = 1;
  futex_wake(&other, 1);
}
static void other_2(void) {
  while (!tested) futex_wait(&other, 0);
  beside_other = 2;
}

/* One look behind one call is no loop. */
static word once;
static int beside_once;
static void once_1(void) {
  wake_one_for_nothing(&once);
  beside_once = 1;
  once = 1;
}
static int seen_once;
static void once_2(void) {
  futex_wait(&once, 0);
  CDRGRIND_HIDE_BEGIN;
  sem_wait(&steps[0]);
  CDRGRIND_HIDE_END;
  seen_once = once;
  beside_once = 2;
}
static void once_1_and_tell(void) { once_1(); done(0); }

/* The word is set, and looked at, without any wait. */
static word asked;
static int beside_asked;
static void asked_1(void) { beside_asked = 1; asked = 1; futex_wake(&asked, 1); }
static void asked_2(void) { if (asked) beside_asked = 2; }

/* Given up: the word is set after it. */
static word late;
static int beside_late;
static void late_1(void) {
  struct timespec t = {0, 1000000};
  while (!late)
    if (syscall(SYS_futex, &late, FUTEX_WAIT_PRIVATE, 0, &t, 0, 0) != 0 && errno == ETIMEDOUT) break;
  beside_late = 1;
}
static void late_2(void) { beside_late = 2; late = 1; }

int main(void) {
  prepare();
  together(plain_1, plain_2);
  together(event_1, event_2);
  together(gate_1, gate_2);
  together(lock_1, lock_1);
  together(barrier_1, barrier_2);
  together(other_1, other_2);
  together(once_1_and_tell, once_2);
  in_turn(asked_1, asked_2);
  in_turn(late_1, late_2);
  return 0;
}
