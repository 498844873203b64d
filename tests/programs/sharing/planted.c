/* SPDX-License-Identifier: GPL-2.0-or-later
 * What two threads share, or do not, in fourteen small programs, one after the other: each starts threads and joins
 * them. What may happen is known whatever the schedule; with an argument threads yield all the time. Variables stand in
 * memory in the order in which they stand here (-fno-toplevel-reorder). */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { kMore = 100, kLess = 60, kLine = 64 };

_Alignas(kLine) static int yields;

#define REPEAT(times, what)              \
  for (int i = 0; i < (times); i++) {    \
    what;                                \
    if (yields) sched_yield();           \
  }
#define THREAD(name, times, what)        \
  static void* name(void* unused) {      \
    REPEAT(times, what)                  \
    return unused;                       \
  }

static void both(void* (*first)(void*), void* (*second)(void*)) {
  static _Alignas(kLine) pthread_t threads[8];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

static void in_turn(void* (*first)(void*), void* (*second)(void*)) {
  static _Alignas(kLine) pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, second, NULL);
  pthread_join(thread, NULL);
}

/* 1. Two counters side by side. 2. The same in lines of their own. 3. One thread after the other. */
struct padded {
  _Alignas(kLine) volatile long count;
};
_Alignas(kLine) volatile long counters[2];
struct padded apart[2];
_Alignas(kLine) volatile long in_order[2];
THREAD(count_first, kMore, counters[0]++)
THREAD(count_second, kLess, counters[1]++)
THREAD(apart_first, kMore, apart[0].count++)
THREAD(apart_second, kLess, apart[1].count++)
THREAD(order_first, kMore, in_order[0]++)
THREAD(order_second, kLess, in_order[1]++)

/* 4. Members of one structure. 5. Padded. */
_Alignas(kLine) struct {
  volatile long hits, misses;
} cache;
struct {
  _Alignas(kLine) volatile long hits;
  _Alignas(kLine) volatile long misses;
} spaced;
THREAD(hit, kMore, cache.hits++)
THREAD(miss, kLess, cache.misses++)
THREAD(spaced_hit, kMore, spaced.hits++)
THREAD(spaced_miss, kLess, spaced.misses++)

/* 6. Neighbours by chance. 7. And apart. */
_Alignas(kLine) volatile long left_sum;
volatile long right_sum;
_Alignas(kLine) volatile long far_left;
_Alignas(kLine) volatile long far_right;
THREAD(add_left, kMore, left_sum++)
THREAD(add_right, kLess, right_sum++)
THREAD(add_far_left, kMore, far_left++)
THREAD(add_far_right, kLess, far_right++)

/* 8. One counter under a lock: shared, and no layout helps. */
_Alignas(kLine) volatile long common;
_Alignas(kLine) pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void add_common(void) {
  pthread_mutex_lock(&lock);
  common++;
  pthread_mutex_unlock(&lock);
}
THREAD(common_first, kMore, add_common())
THREAD(common_second, kLess, add_common())

/* 9. Both touch both members: still no false sharing. */
_Alignas(kLine) struct {
  volatile long x, y;
} point;
THREAD(move_first, kMore, (point.x++, point.y++))
THREAD(move_second, kLess, (point.x++, point.y++))

/* 10. A block of the heap. 11. One with room in it. */
_Alignas(kLine) static volatile long* sums;
static struct padded* wide;
THREAD(sum_first, kMore, sums[0]++)
THREAD(sum_second, kLess, sums[1]++)
THREAD(wide_first, kMore, wide[0].count++)
THREAD(wide_second, kLess, wide[1].count++)

/* 12. A barrier keeps them apart. */
_Alignas(kLine) volatile long phases[2];
_Alignas(kLine) pthread_barrier_t barrier;
static void* before(void* unused) {
  REPEAT(kMore, phases[0]++)
  pthread_barrier_wait(&barrier);
  return unused;
}
static void* behind(void* unused) {
  pthread_barrier_wait(&barrier);
  REPEAT(kLess, phases[1]++)
  return unused;
}

/* 13. One stores, the other only loads what stands beside it. */
_Alignas(kLine) volatile long beats;
volatile long limit;
static volatile _Alignas(kLine) long sink;
THREAD(beat, kMore, beats++)
THREAD(look, kLess, sink = limit)

/* 14. Elements of one thread each, with a common one in the same line. */
_Alignas(kLine) struct {
  volatile long own[2], total;
} mixed;
_Alignas(kLine) static long behind_all;
THREAD(mixed_first, kMore, (mixed.own[0]++, mixed.total++))
THREAD(mixed_second, kLess, (mixed.own[1]++, mixed.total++))

int main(int argc, char** argv) {
  yields = argc > 1;
  both(count_first, count_second);
  both(apart_first, apart_second);
  in_turn(order_first, order_second);
  both(hit, miss);
  both(spaced_hit, spaced_miss);
  both(add_left, add_right);
  both(add_far_left, add_far_right);
  both(common_first, common_second);
  both(move_first, move_second);
  sums = aligned_alloc(kLine, kLine);
  wide = aligned_alloc(kLine, 2 * kLine);
  both(sum_first, sum_second);
  both(wide_first, wide_second);
  pthread_barrier_init(&barrier, NULL, 2);
  both(before, behind);
  both(beat, look);
  both(mixed_first, mixed_second);
  behind_all++;
  free((void*)sums);
  free(wide);
  return argv[0] == NULL;
}
