/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hide regions: to the race analysis what happens in them has not happened. */
#include "order.h"

#define HIDDEN(statement) CDRGRIND_HIDE_BEGIN; statement; CDRGRIND_HIDE_END

/* Accesses race with nothing. */
static int hidden_store, hidden_load;
static void store_1(void) { HIDDEN(hidden_store = 1); }
static void store_2(void) { hidden_store = 2; }
static void load_1(void) { hidden_load = 1; }
static void load_2(void) { HIDDEN(int x = hidden_load; (void)x); }

/* Nor are they the last write that a read sees. So the edge from the flag's store stays ... */
static int stored_again, behind_stored_again;
static void again_1(void) { behind_stored_again = 5; stored_again = 1; HIDDEN(stored_again = 2); }
static void again_2(void) { int x = stored_again; (void)x; x = behind_stored_again; }
/* ... and here there is none: the data can race first. */
static int stored_hidden, behind_stored_hidden;
static void hidden_1(void) { behind_stored_hidden = 5; HIDDEN(stored_hidden = 1); }
static void hidden_2(void) { int x = stored_hidden; (void)x; x = behind_stored_hidden; }

/* Atomic accesses order nothing. */
static int count, behind_atomic;
static void atomic_1(void) { behind_atomic = 1; HIDDEN(__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST)); }
static void atomic_2(void) { if (__atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST) == 1) behind_atomic = 2; }

/* Nor does a loop that waits for a flag stored in a region. */
static volatile int hidden_flag;
static int behind_flag;
static void flag_1(void) { behind_flag = 1; HIDDEN(hidden_flag = 1); }
static void flag_2(void) { while (!hidden_flag) {} behind_flag = 2; }

/* Nor a mutex, whoever hides it. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int behind_unlock, behind_lock;
static void unlock_1(void) { behind_unlock = 1; HIDDEN(pthread_mutex_lock(&m); pthread_mutex_unlock(&m)); }
static void unlock_2(void) { pthread_mutex_lock(&m); behind_unlock = 2; pthread_mutex_unlock(&m); }
static void lock_1(void) { behind_lock = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }
static void lock_2(void) { HIDDEN(pthread_mutex_lock(&m); pthread_mutex_unlock(&m)); behind_lock = 2; }

int main(void) {
  prepare();
  in_turn(store_1, store_2);
  in_turn(load_1, load_2);
  in_turn(again_1, again_2);
  in_turn(hidden_1, hidden_2);
  in_turn(atomic_1, atomic_2);
  in_turn(flag_1, flag_2);
  in_turn(unlock_1, unlock_2);
  in_turn(lock_1, lock_2);
  return 0;
}
