/* SPDX-License-Identifier: GPL-2.0-or-later
 * Plain accesses and mutexes. A variable is named after its case; mutexes.expect has those that race. */
#include <errno.h>
#include <time.h>

#include "order.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checked, recursive, robust, left, left_too;

static int write_write;
static void write_write_1(void) { write_write = 1; }
static void write_write_2(void) { write_write = 2; }

static int write_read;
static void write_read_1(void) { write_read = 1; }
static void write_read_2(void) { int x = write_read; (void)x; }

static int read_write;
static void read_write_1(void) { int x = read_write; (void)x; }
static void read_write_2(void) { read_write = 1; }

static int read_read;
static void read_read_1(void) { int x = read_read; (void)x; }
static void read_read_2(void) { int x = read_read; (void)x; }

static int locked;
static void locked_1(void) { pthread_mutex_lock(&m); locked = 1; pthread_mutex_unlock(&m); }
static void locked_2(void) { pthread_mutex_lock(&m); locked = 2; pthread_mutex_unlock(&m); }

static int two_locks;
static void two_locks_1(void) { pthread_mutex_lock(&m); two_locks = 1; pthread_mutex_unlock(&m); }
static void two_locks_2(void) { pthread_mutex_lock(&n); two_locks = 2; pthread_mutex_unlock(&n); }

static int half_locked;
static void half_locked_1(void) { pthread_mutex_lock(&m); half_locked = 1; pthread_mutex_unlock(&m); }
static void half_locked_2(void) { half_locked = 2; }

/* Not ordered in general, but here. */
static int hidden_by_order;
static void hidden_by_order_1(void) { hidden_by_order = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
static void hidden_by_order_2(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); hidden_by_order = 2; }

static int after_unlock;
static void after_unlock_1(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); after_unlock = 1; }
static void after_unlock_2(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); after_unlock = 2; }

static int tried;
static void tried_1(void) { pthread_mutex_lock(&m); tried = 1; pthread_mutex_unlock(&m); }
static void tried_2(void) { if (pthread_mutex_trylock(&m) == 0) { tried = 2; pthread_mutex_unlock(&m); } }

/* The lock is held by the first when the second tries. */
static int try_failed;
static void try_failed_1(void) { try_failed = 1; pthread_mutex_lock(&m); done(0); await(1); pthread_mutex_unlock(&m); }
static void try_failed_2(void) { await(0); if (pthread_mutex_trylock(&m) == EBUSY) try_failed = 2; done(1); }

static int timed;
static void timed_1(void) { pthread_mutex_lock(&m); timed = 1; pthread_mutex_unlock(&m); }
static void timed_2(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += 100;
  pthread_mutex_timedlock(&m, &t);
  timed = 2;
  pthread_mutex_unlock(&m);
}

static int timed_out;
static void timed_out_1(void) { timed_out = 1; pthread_mutex_lock(&m); done(2); await(3); pthread_mutex_unlock(&m); }
static void timed_out_2(void) {
  struct timespec t = {1, 0};
  await(2);
  if (pthread_mutex_timedlock(&m, &t) == ETIMEDOUT) timed_out = 2;
  done(3);
}

static int twice_locked;
static void twice_locked_1(void) {
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_mutex_unlock(&recursive);
  twice_locked = 1;
  pthread_mutex_unlock(&recursive);
}
static void twice_locked_2(void) { pthread_mutex_lock(&recursive); twice_locked = 2; pthread_mutex_unlock(&recursive); }

/* An unlock by who has not locked fails, and gives nothing. */
static int unlock_failed;
static void unlock_failed_1(void) { unlock_failed = 1; pthread_mutex_unlock(&checked); }
static void unlock_failed_2(void) { pthread_mutex_lock(&checked); unlock_failed = 2; pthread_mutex_unlock(&checked); }

static int owner_died;
static void owner_died_1(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&robust); owner_died = 1; pthread_mutex_unlock(&m); }
static void owner_died_2(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  if (pthread_mutex_lock(&robust) == EOWNERDEAD) pthread_mutex_consistent(&robust);
  owner_died = 2;
  pthread_mutex_unlock(&robust);
}

/* What the dead owner did is before what who gets the lock from it does; what is done before getting it is not. */
static int owner_ended, beside_owner;
static void owner_ended_1(void) { pthread_mutex_lock(&left); owner_ended = 1; }
static void owner_ended_2(void) {
  if (pthread_mutex_lock(&left) == EOWNERDEAD) pthread_mutex_consistent(&left);
  owner_ended = 2;
  pthread_mutex_unlock(&left);
}
static void beside_owner_1(void) { pthread_mutex_lock(&left_too); beside_owner = 1; }
static void beside_owner_2(void) {
  beside_owner = 2;
  if (pthread_mutex_lock(&left_too) == EOWNERDEAD) pthread_mutex_consistent(&left_too);
  pthread_mutex_unlock(&left_too);
}

/* A lock that the second takes first orders nothing. */
static int wrong_way;
static void wrong_way_1(void) { pthread_mutex_lock(&n); wrong_way = 1; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); }
static void wrong_way_2(void) { wrong_way = 2; }

static void kind(pthread_mutex_t *mutex, int type, int robustness) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, type);
  pthread_mutexattr_setrobust(&a, robustness);
  pthread_mutex_init(mutex, &a);
}

int main(void) {
  prepare();
  kind(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
  kind(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
  kind(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  kind(&left, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  kind(&left_too, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
  in_turn(write_write_1, write_write_2);
  in_turn(write_read_1, write_read_2);
  in_turn(read_write_1, read_write_2);
  in_turn(read_read_1, read_read_2);
  in_turn(locked_1, locked_2);
  in_turn(two_locks_1, two_locks_2);
  in_turn(half_locked_1, half_locked_2);
  in_turn(hidden_by_order_1, hidden_by_order_2);
  in_turn(after_unlock_1, after_unlock_2);
  in_turn(tried_1, tried_2);
  together(try_failed_1, try_failed_2);
  in_turn(timed_1, timed_2);
  together(timed_out_1, timed_out_2);
  in_turn(twice_locked_1, twice_locked_2);
  in_turn(unlock_failed_1, unlock_failed_2);
  in_turn(owner_died_1, owner_died_2);
  in_turn(owner_ended_1, owner_ended_2);
  in_turn(beside_owner_1, beside_owner_2);
  in_turn(wrong_way_1, wrong_way_2);
  return 0;
}
