/* SPDX-License-Identifier: GPL-2.0-or-later
 * The life of objects of synchronisation: right_* is destroyed, initialised or freed in order with its use by the other
 * thread, wrong_* is not. The second function of each pair runs when the first is done. */
#include <stdlib.h>

#include "order.h"

#define MUTEX PTHREAD_MUTEX_INITIALIZER

static void pass(pthread_mutex_t *m) { pthread_mutex_lock(m); pthread_mutex_unlock(m); }

static pthread_mutex_t right_mutex = MUTEX, wrong_mutex = MUTEX;
static void mutex_right_1(void) { pass(&right_mutex); }
static void mutex_right_2(void) { pass(&right_mutex); pthread_mutex_destroy(&right_mutex); }
static void mutex_wrong_1(void) { pass(&wrong_mutex); }
static void mutex_wrong_2(void) { pthread_mutex_destroy(&wrong_mutex); }

static pthread_mutex_t with_condition = MUTEX;
static pthread_cond_t right_condition = PTHREAD_COND_INITIALIZER, wrong_condition = PTHREAD_COND_INITIALIZER;
static void condition_right_1(void) { pthread_mutex_lock(&with_condition); pthread_cond_signal(&right_condition); pthread_mutex_unlock(&with_condition); }
static void condition_right_2(void) { pass(&with_condition); pthread_cond_destroy(&right_condition); }
static void condition_wrong_1(void) { pass(&with_condition); pthread_cond_signal(&wrong_condition); }
static void condition_wrong_2(void) { pass(&with_condition); pthread_cond_destroy(&wrong_condition); }

/* The last one out may destroy it, who did not wait may not. */
static pthread_barrier_t right_barrier, wrong_barrier;
enum { kArrives = 0 };
static void barrier_right_1(void) { pthread_barrier_wait(&right_barrier); }
static void barrier_right_2(void) { pthread_barrier_wait(&right_barrier); await(kArrives); pthread_barrier_destroy(&right_barrier); }
static void barrier_right_1_done(void) { barrier_right_1(); done(kArrives); }
static void barrier_wrong_1(void) { pthread_barrier_wait(&wrong_barrier); }
static void barrier_wrong_2(void) { pthread_barrier_destroy(&wrong_barrier); }

static sem_t right_semaphore, wrong_semaphore;
static void semaphore_right_1(void) { sem_post(&right_semaphore); }
static void semaphore_right_2(void) { sem_wait(&right_semaphore); sem_destroy(&right_semaphore); }
static void semaphore_wrong_1(void) { sem_post(&wrong_semaphore); }
static void semaphore_wrong_2(void) { sem_destroy(&wrong_semaphore); }

/* A reader's lock says nothing of other readers. */
static pthread_rwlock_t right_rwlock = PTHREAD_RWLOCK_INITIALIZER, wrong_rwlock = PTHREAD_RWLOCK_INITIALIZER;
static void read_lock(pthread_rwlock_t *l) { pthread_rwlock_rdlock(l); pthread_rwlock_unlock(l); }
static void rwlock_right_1(void) { read_lock(&right_rwlock); }
static void rwlock_right_2(void) { pthread_rwlock_wrlock(&right_rwlock); pthread_rwlock_unlock(&right_rwlock); pthread_rwlock_destroy(&right_rwlock); }
static void rwlock_wrong_1(void) { read_lock(&wrong_rwlock); }
static void rwlock_wrong_2(void) { read_lock(&wrong_rwlock); pthread_rwlock_destroy(&wrong_rwlock); }

static pthread_spinlock_t right_spin, wrong_spin;
static void spin_right_1(void) { pthread_spin_lock(&right_spin); pthread_spin_unlock(&right_spin); }
static void spin_right_2(void) { pthread_spin_lock(&right_spin); pthread_spin_unlock(&right_spin); pthread_spin_destroy(&right_spin); }
static void spin_wrong_1(void) { pthread_spin_lock(&wrong_spin); pthread_spin_unlock(&wrong_spin); }
static void spin_wrong_2(void) { pthread_spin_destroy(&wrong_spin); }

/* Initialised by the one, used by the other. */
static pthread_mutex_t right_init, wrong_init;
static sem_t initialised;
static void init_right_1(void) { pthread_mutex_init(&right_init, 0); sem_post(&initialised); }
static void init_right_2(void) { sem_wait(&initialised); pass(&right_init); }
static void init_wrong_1(void) { pthread_mutex_init(&wrong_init, 0); }
static void init_wrong_2(void) { pass(&wrong_init); }

/* The mutex of a condition's wait is used by it, too. */
static pthread_mutex_t right_wait = MUTEX, wrong_wait = MUTEX;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static void wait_on(pthread_mutex_t *m) {
  struct timespec past = {1, 0};
  pthread_mutex_lock(m);
  pthread_cond_timedwait(&never, m, &past);
  pthread_mutex_unlock(m);
}
static void wait_right_1(void) { wait_on(&right_wait); }
static void wait_right_2(void) { pass(&right_wait); pthread_mutex_destroy(&right_wait); }
static void wait_wrong_1(void) { wait_on(&wrong_wait); }
static void wait_wrong_2(void) { pthread_mutex_destroy(&wrong_wait); }

/* In a block that is freed. */
struct held { long before; pthread_mutex_t mutex; };
static struct held *right_block, *wrong_block;
static struct held *new_right(void) { return calloc(1, sizeof(struct held)); }
static struct held *new_wrong(void) { return calloc(1, sizeof(struct held)); }
static void block_right_1(void) { pass(&right_block->mutex); }
static void block_right_2(void) { pass(&right_block->mutex); free(right_block); }
static void block_wrong_1(void) { pass(&wrong_block->mutex); }
static void block_wrong_2(void) { free(wrong_block); }

int main(void) {
  prepare();
  pthread_barrier_init(&right_barrier, 0, 2);
  pthread_barrier_init(&wrong_barrier, 0, 1);
  sem_init(&right_semaphore, 0, 0);
  sem_init(&wrong_semaphore, 0, 0);
  sem_init(&initialised, 0, 0);
  pthread_spin_init(&right_spin, 0);
  pthread_spin_init(&wrong_spin, 0);
  right_block = new_right();
  wrong_block = new_wrong();
  in_turn(mutex_right_1, mutex_right_2);
  in_turn(mutex_wrong_1, mutex_wrong_2);
  in_turn(condition_right_1, condition_right_2);
  in_turn(condition_wrong_1, condition_wrong_2);
  together(barrier_right_1_done, barrier_right_2);
  in_turn(barrier_wrong_1, barrier_wrong_2);
  in_turn(semaphore_right_1, semaphore_right_2);
  in_turn(semaphore_wrong_1, semaphore_wrong_2);
  in_turn(rwlock_right_1, rwlock_right_2);
  in_turn(rwlock_wrong_1, rwlock_wrong_2);
  in_turn(spin_right_1, spin_right_2);
  in_turn(spin_wrong_1, spin_wrong_2);
  in_turn(init_right_1, init_right_2);
  in_turn(init_wrong_1, init_wrong_2);
  in_turn(wait_right_1, wait_right_2);
  in_turn(wait_wrong_1, wait_wrong_2);
  in_turn(block_right_1, block_right_2);
  in_turn(block_wrong_1, block_wrong_2);
  return 0;
}
