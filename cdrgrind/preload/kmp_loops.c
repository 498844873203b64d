/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of libomp's worksharing loops and of doacross. Bounds include the last iteration; they are of 4 or 8 bytes,
 * signed or not. */
#include <stdint.h>

#include "cdrgrind/preload/kmp.h"

/* Of the runtime, without the bits for monotonic and nonmonotonic. Others are static: the runtime leaves the shares as
 * they are. */
enum { DYNAMIC = 35, GUIDED = 36, RUNTIME = 37, AUTO = 38, ORDERED_FIRST = 64, ORDERED_LAST = 70 };
ALWAYS_INLINE Word work_of_schedule(Word schedule, Word chunk) {
  const Word plain = schedule & 0xffffff;
  const Word is_ordered = plain > ORDERED_FIRST && plain <= ORDERED_LAST;
  Word kind = SCHEDULE_STATIC;
  switch (is_ordered ? plain - 32 : plain) {
    case DYNAMIC:
      kind = SCHEDULE_DYNAMIC;
      break;
    case GUIDED:
    case AUTO:
      kind = SCHEDULE_GUIDED;
      break;
    case RUNTIME:
      kind = SCHEDULE_RUNTIME;
  }
  return LOOP_WORK(kind, chunk & 0xffffffff) | (is_ordered ? WORK_ORDERED : 0);
}

/* Compilers give a chunk to static schedules without chunks, too. */
enum { STATIC_CHUNKED = 33, ORDERED_STATIC_CHUNKED = 65, DISTRIBUTE_STATIC_CHUNKED = 91 };
ALWAYS_INLINE Word chunk_of(Word schedule, Word chunk) {
  const Word plain = schedule & 0xffffff;
  const Word chunked = plain == STATIC_CHUNKED || plain == ORDERED_STATIC_CHUNKED || plain == DISTRIBUTE_STATIC_CHUNKED;
  return chunked ? chunk & 0xffffffff : 0;
}

/* The iterations are the thread's from *first to *last. */
#define STATIC_LOOP(suffix, type)                                                                                      \
  RUNTIME_CALL(wrap_static_init_##suffix,                                                                              \
               (Word place, Word thread, Word schedule, Word is_last, type * first, type * last, Word stride,          \
                Word step, Word chunk),                                                                                \
               CALL_FN_W_9W(r, fn, place, thread, schedule, is_last, first, last, stride, step, chunk),                \
               OF_TEAM(CDR_SYNC_WORK_BEGIN), (Word)*first, (Word)(*last + 1),                                          \
               TOLD_OR(LOOP_WORK(SCHEDULE_STATIC, chunk_of(schedule, chunk))), (Word)*first, TOLD_OR((Word)*last + 1), \
               (type)step, r);                                                                                         \
  KMP_NAMES(wrap_static_init_##suffix, __kmpc_for_static_init_##suffix);                                               \
  RUNTIME_CALL(wrap_dist_static_init_##suffix,                                                                         \
               (Word place, Word thread, Word schedule, Word is_last, type * first, type * last, Word last_of_team,    \
                Word stride, Word step, Word chunk),                                                                   \
               CALL_FN_W_10W(r, fn, place, thread, schedule, is_last, first, last, last_of_team, stride, step, chunk), \
               OF_TEAM(CDR_SYNC_WORK_BEGIN), (Word)*first, (Word)(*last + 1),                                          \
               TOLD_OR(LOOP_WORK(SCHEDULE_STATIC, chunk_of(schedule, chunk))), (Word)*first, TOLD_OR((Word)*last + 1), \
               (type)step, r);                                                                                         \
  KMP_NAMES(wrap_dist_static_init_##suffix, __kmpc_dist_for_static_init_##suffix)

/* A thread is done when there is no next part. */
#define DISPATCHED_LOOP(suffix, type)                                                                                \
  RUNTIME_CALL(wrap_dispatch_init_##suffix,                                                                          \
               (Word place, Word thread, Word schedule, Word first, Word last, Word step, Word chunk),               \
               CALL_FN_W_7W(r, fn, place, thread, schedule, first, last, step, chunk), OF_TEAM(CDR_SYNC_WORK_BEGIN), \
               (Word)(type)first, (Word)((type)last + 1), TOLD_OR(work_of_schedule(schedule, chunk)), 0, TOLD_OR(0), \
               0, r);                                                                                                \
  RUNTIME_CALL(                                                                                                      \
      wrap_dispatch_next_##suffix, (Word place, Word thread, Word is_last, type * first, type * last, type * step),  \
      CALL_FN_W_6W(r, fn, place, thread, is_last, first, last, step), OF_TEAM(CDR_SYNC_WORK_NEXT), 0, 0, TOLD_OR(0), \
      (int)r ? (Word)*first : 0, TOLD_OR((int)r ? (Word)*last + 1 : 0), (int)r ? (long)*step : 0, r);                \
  UNTOLD_CALL(wrap_dispatch_fini_##suffix, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread));           \
  KMP_NAMES(wrap_dispatch_init_##suffix, __kmpc_dispatch_init_##suffix);                                             \
  KMP_NAMES(wrap_dispatch_next_##suffix, __kmpc_dispatch_next_##suffix);                                             \
  KMP_NAMES(wrap_dispatch_fini_##suffix, __kmpc_dispatch_fini_##suffix)

STATIC_LOOP(4, int32_t);
STATIC_LOOP(4u, uint32_t);
STATIC_LOOP(8, int64_t);
STATIC_LOOP(8u, uint64_t);
DISPATCHED_LOOP(4, int32_t);
DISPATCHED_LOOP(4u, uint32_t);
DISPATCHED_LOOP(8, int64_t);
DISPATCHED_LOOP(8u, uint64_t);

RUNTIME_CALL(wrap_static_fini, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread),
             OF_TEAM(CDR_SYNC_WORK_END), 0, 0, TOLD_OR(1), 0, TOLD_OR(1), 0, r);
KMP_NAMES(wrap_static_fini, __kmpc_for_static_fini);

typedef struct {
  long first, last, step;
} Dimension;

/* The loops' variables are told, not the iterations' numbers. */
static void begin_dimensions(Word loops, const Dimension* all) {
  IterationSpace* const space = &cdr_iteration_space;
  space->loops = (unsigned)loops < MOST_LOOPS ? (unsigned)loops : MOST_LOOPS;
  for (Word i = 0; i < space->loops; i++) {
    space->begins[i] = all[i].first;
    space->steps[i] = all[i].step ? all[i].step : 1;
    space->sizes[i] = (Word)((all[i].last - all[i].first) / space->steps[i] + 1);
  }
}
static Word number_of_variables(const long* variables) {
  const IterationSpace* const space = &cdr_iteration_space;
  Word number = 0;
  for (Word i = 0; i < space->loops; i++)
    number = number * space->sizes[i] + (Word)((variables[i] - space->begins[i]) / space->steps[i]);
  return number;
}

static void wrap_doacross_init(Word place, Word thread, Word loops, const Dimension* all) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_THREAD_NUMBER, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  begin_dimensions(loops, all);
  enter(&operation, UNTOLD);
  CALL_FN_W_WWWW(r, fn, place, thread, loops, all);
  (void)r;
  leave(&operation, UNTOLD, 0);
}
RUNTIME_CALL(wrap_kmp_post, (Word place, Word thread, const long* variables),
             CALL_FN_W_WWW(r, fn, place, thread, variables), OF_TEAM(CDR_SYNC_DOACROSS_POST),
             number_of_variables(variables), 0, TOLD_OR(0), 0, TOLD_OR(0), 0, r);
RUNTIME_CALL(wrap_kmp_wait, (Word place, Word thread, const long* variables),
             CALL_FN_W_WWW(r, fn, place, thread, variables), OF_TEAM(CDR_SYNC_DOACROSS_WAIT),
             number_of_variables(variables), 0, TOLD_OR(0), 0, TOLD_OR(0), 0, r);
UNTOLD_CALL(wrap_doacross_fini, (Word place, Word thread), CALL_FN_W_WW(r, fn, place, thread));
KMP_NAMES(wrap_doacross_init, __kmpc_doacross_init);
KMP_NAMES(wrap_kmp_post, __kmpc_doacross_post);
KMP_NAMES(wrap_kmp_wait, __kmpc_doacross_wait);
KMP_NAMES(wrap_doacross_fini, __kmpc_doacross_fini);
