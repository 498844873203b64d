/* SPDX-License-Identifier: GPL-2.0-or-later
 * Read-write locks and spin locks. */
#include <errno.h>
#include <time.h>

#include "order.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin, other_spin;

static int write_then_write;
static void write_then_write_1(void) { pthread_rwlock_wrlock(&l); write_then_write = 1; pthread_rwlock_unlock(&l); }
static void write_then_write_2(void) { pthread_rwlock_wrlock(&l); write_then_write = 2; pthread_rwlock_unlock(&l); }

static int write_then_read;
static void write_then_read_1(void) { pthread_rwlock_wrlock(&l); write_then_read = 1; pthread_rwlock_unlock(&l); }
static void write_then_read_2(void) { pthread_rwlock_rdlock(&l); int x = write_then_read; (void)x; pthread_rwlock_unlock(&l); }

static int read_then_write;
static void read_then_write_1(void) { pthread_rwlock_rdlock(&l); int x = read_then_write; (void)x; pthread_rwlock_unlock(&l); }
static void read_then_write_2(void) { pthread_rwlock_wrlock(&l); read_then_write = 2; pthread_rwlock_unlock(&l); }

/* Readers do not order each other. */
static int write_as_reader;
static void write_as_reader_1(void) { pthread_rwlock_rdlock(&l); write_as_reader = 1; pthread_rwlock_unlock(&l); }
static void write_as_reader_2(void) { pthread_rwlock_rdlock(&l); write_as_reader = 2; pthread_rwlock_unlock(&l); }

static int other_rwlock;
static void other_rwlock_1(void) { pthread_rwlock_wrlock(&l); other_rwlock = 1; pthread_rwlock_unlock(&l); }
static void other_rwlock_2(void) { pthread_rwlock_wrlock(&k); other_rwlock = 2; pthread_rwlock_unlock(&k); }

static int try_read;
static void try_read_1(void) { pthread_rwlock_wrlock(&l); try_read = 1; pthread_rwlock_unlock(&l); }
static void try_read_2(void) { if (pthread_rwlock_tryrdlock(&l) == 0) { int x = try_read; (void)x; pthread_rwlock_unlock(&l); } }

static int try_write;
static void try_write_1(void) { pthread_rwlock_rdlock(&l); int x = try_write; (void)x; pthread_rwlock_unlock(&l); }
static void try_write_2(void) { if (pthread_rwlock_trywrlock(&l) == 0) { try_write = 2; pthread_rwlock_unlock(&l); } }

static int try_write_failed;
static void try_write_failed_1(void) { try_write_failed = 1; pthread_rwlock_rdlock(&l); done(0); await(1); pthread_rwlock_unlock(&l); }
static void try_write_failed_2(void) { await(0); if (pthread_rwlock_trywrlock(&l) == EBUSY) try_write_failed = 2; done(1); }

static int timed_read;
static void timed_read_1(void) { pthread_rwlock_wrlock(&l); timed_read = 1; pthread_rwlock_unlock(&l); }
static void timed_read_2(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += 100;
  pthread_rwlock_timedrdlock(&l, &t);
  int x = timed_read;
  (void)x;
  pthread_rwlock_unlock(&l);
}

/* Through two readers to a writer, and from the writer to a reader. */
static int chain;
static void chain_1(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); pthread_rwlock_wrlock(&l); chain = 1; pthread_rwlock_unlock(&l); }
static void chain_2(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_unlock(&l); chain = 2; }

static int spun;
static void spun_1(void) { pthread_spin_lock(&spin); spun = 1; pthread_spin_unlock(&spin); }
static void spun_2(void) { pthread_spin_lock(&spin); spun = 2; pthread_spin_unlock(&spin); }

static int spun_apart;
static void spun_apart_1(void) { pthread_spin_lock(&spin); spun_apart = 1; pthread_spin_unlock(&spin); }
static void spun_apart_2(void) { pthread_spin_lock(&other_spin); spun_apart = 2; pthread_spin_unlock(&other_spin); }

static int spin_tried;
static void spin_tried_1(void) { pthread_spin_lock(&spin); spin_tried = 1; pthread_spin_unlock(&spin); }
static void spin_tried_2(void) { if (pthread_spin_trylock(&spin) == 0) { spin_tried = 2; pthread_spin_unlock(&spin); } }

static int spin_busy;
static void spin_busy_1(void) { spin_busy = 1; pthread_spin_lock(&spin); done(2); await(3); pthread_spin_unlock(&spin); }
static void spin_busy_2(void) { await(2); if (pthread_spin_trylock(&spin) == EBUSY) spin_busy = 2; done(3); }

int main(void) {
  prepare();
  pthread_spin_init(&spin, 0);
  pthread_spin_init(&other_spin, 0);
  in_turn(write_then_write_1, write_then_write_2);
  in_turn(write_then_read_1, write_then_read_2);
  in_turn(read_then_write_1, read_then_write_2);
  in_turn(write_as_reader_1, write_as_reader_2);
  in_turn(other_rwlock_1, other_rwlock_2);
  in_turn(try_read_1, try_read_2);
  in_turn(try_write_1, try_write_2);
  together(try_write_failed_1, try_write_failed_2);
  in_turn(timed_read_1, timed_read_2);
  in_turn(chain_1, chain_2);
  in_turn(spun_1, spun_2);
  in_turn(spun_apart_1, spun_apart_2);
  in_turn(spin_tried_1, spin_tried_2);
  together(spin_busy_1, spin_busy_2);
  return 0;
}
