/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of libgomp's worksharing loops. `first` and `last` are where a thread's part is stored. */
#include "cdrgrind/preload/runtime_call.h"

/* GOT(result of a bool function, increment): never 0 if there is a part */
#define GOT(step) (bool_result(r) ? ((step) ? (step) : 1) : 0)

#define LOOP_START(wrapper, schedule, ordered)                                                  \
  LOOP_BEGIN(wrapper, (Word begin, Word end, Word step, Word chunk, Word * first, Word * last), \
             CALL_FN_W_6W(r, fn, begin, end, step, chunk, first, last), begin, end,             \
             LOOP_WORK(schedule, chunk) | (ordered), GOT(step))
#define RUNTIME_LOOP_START(wrapper, ordered)                                        \
  LOOP_BEGIN(wrapper, (Word begin, Word end, Word step, Word * first, Word * last), \
             CALL_FN_W_5W(r, fn, begin, end, step, first, last), begin, end,        \
             LOOP_WORK(SCHEDULE_RUNTIME, 0) | (ordered), GOT(step))
/* Of unsigned long long; `up` says which way. */
#define ULL_START(wrapper, schedule, ordered)                                                            \
  LOOP_BEGIN(wrapper, (Word up, Word begin, Word end, Word step, Word chunk, Word * first, Word * last), \
             CALL_FN_W_7W(r, fn, up, begin, end, step, chunk, first, last), begin, end,                  \
             LOOP_WORK(schedule, chunk) | (ordered), GOT(step))
#define ULL_RUNTIME_START(wrapper, ordered)                                                  \
  LOOP_BEGIN(wrapper, (Word up, Word begin, Word end, Word step, Word * first, Word * last), \
             CALL_FN_W_6W(r, fn, up, begin, end, step, first, last), begin, end,             \
             LOOP_WORK(SCHEDULE_RUNTIME, 0) | (ordered), GOT(step))

LOOP_START(wrap_static_start, SCHEDULE_STATIC, 0);
LOOP_START(wrap_dynamic_start, SCHEDULE_DYNAMIC, 0);
LOOP_START(wrap_guided_start, SCHEDULE_GUIDED, 0);
RUNTIME_LOOP_START(wrap_runtime_start, 0);
LOOP_START(wrap_ordered_static_start, SCHEDULE_STATIC, WORK_ORDERED);
LOOP_START(wrap_ordered_dynamic_start, SCHEDULE_DYNAMIC, WORK_ORDERED);
LOOP_START(wrap_ordered_guided_start, SCHEDULE_GUIDED, WORK_ORDERED);
RUNTIME_LOOP_START(wrap_ordered_runtime_start, WORK_ORDERED);
RUNTIME_NAMES(wrap_static_start, GOMP_loop_static_start);
RUNTIME_NAMES(wrap_dynamic_start, GOMP_loop_dynamic_start);
RUNTIME_NAMES(wrap_dynamic_start, GOMP_loop_nonmonotonic_dynamic_start);
RUNTIME_NAMES(wrap_guided_start, GOMP_loop_guided_start);
RUNTIME_NAMES(wrap_guided_start, GOMP_loop_nonmonotonic_guided_start);
RUNTIME_NAMES(wrap_runtime_start, GOMP_loop_runtime_start);
RUNTIME_NAMES(wrap_runtime_start, GOMP_loop_nonmonotonic_runtime_start);
RUNTIME_NAMES(wrap_runtime_start, GOMP_loop_maybe_nonmonotonic_runtime_start);
RUNTIME_NAMES(wrap_ordered_static_start, GOMP_loop_ordered_static_start);
RUNTIME_NAMES(wrap_ordered_dynamic_start, GOMP_loop_ordered_dynamic_start);
RUNTIME_NAMES(wrap_ordered_guided_start, GOMP_loop_ordered_guided_start);
RUNTIME_NAMES(wrap_ordered_runtime_start, GOMP_loop_ordered_runtime_start);

ULL_START(wrap_ull_static_start, SCHEDULE_STATIC, 0);
ULL_START(wrap_ull_dynamic_start, SCHEDULE_DYNAMIC, 0);
ULL_START(wrap_ull_guided_start, SCHEDULE_GUIDED, 0);
ULL_RUNTIME_START(wrap_ull_runtime_start, 0);
ULL_START(wrap_ull_ordered_static_start, SCHEDULE_STATIC, WORK_ORDERED);
ULL_START(wrap_ull_ordered_dynamic_start, SCHEDULE_DYNAMIC, WORK_ORDERED);
ULL_START(wrap_ull_ordered_guided_start, SCHEDULE_GUIDED, WORK_ORDERED);
ULL_RUNTIME_START(wrap_ull_ordered_runtime_start, WORK_ORDERED);
RUNTIME_NAMES(wrap_ull_static_start, GOMP_loop_ull_static_start);
RUNTIME_NAMES(wrap_ull_dynamic_start, GOMP_loop_ull_dynamic_start);
RUNTIME_NAMES(wrap_ull_dynamic_start, GOMP_loop_ull_nonmonotonic_dynamic_start);
RUNTIME_NAMES(wrap_ull_guided_start, GOMP_loop_ull_guided_start);
RUNTIME_NAMES(wrap_ull_guided_start, GOMP_loop_ull_nonmonotonic_guided_start);
RUNTIME_NAMES(wrap_ull_runtime_start, GOMP_loop_ull_runtime_start);
RUNTIME_NAMES(wrap_ull_runtime_start, GOMP_loop_ull_nonmonotonic_runtime_start);
RUNTIME_NAMES(wrap_ull_runtime_start, GOMP_loop_ull_maybe_nonmonotonic_runtime_start);
RUNTIME_NAMES(wrap_ull_ordered_static_start, GOMP_loop_ull_ordered_static_start);
RUNTIME_NAMES(wrap_ull_ordered_dynamic_start, GOMP_loop_ull_ordered_dynamic_start);
RUNTIME_NAMES(wrap_ull_ordered_guided_start, GOMP_loop_ull_ordered_guided_start);
RUNTIME_NAMES(wrap_ull_ordered_runtime_start, GOMP_loop_ull_ordered_runtime_start);

/* Every kind of loop goes on alike. */
RUNTIME_CALL(wrap_loop_next, (Word * first, Word* last), CALL_FN_W_WW(r, fn, first, last), CDR_SYNC_WORK_NEXT, 0, 0, 0,
             PART(first), PART(last), bool_result(r), bool_result(r));
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_static_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_dynamic_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_guided_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_runtime_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_nonmonotonic_dynamic_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_nonmonotonic_guided_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_nonmonotonic_runtime_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_maybe_nonmonotonic_runtime_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ordered_static_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ordered_dynamic_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ordered_guided_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ordered_runtime_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_static_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_dynamic_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_guided_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_runtime_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_nonmonotonic_dynamic_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_nonmonotonic_guided_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_nonmonotonic_runtime_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_maybe_nonmonotonic_runtime_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_ordered_static_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_ordered_dynamic_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_ordered_guided_next);
RUNTIME_NAMES(wrap_loop_next, GOMP_loop_ull_ordered_runtime_next);

/* Without `first` the compiler's code shares the iterations out by itself. */
#define GENERAL_START(wrapper, ordered)                                                                               \
  LOOP_BEGIN(wrapper,                                                                                                 \
             (Word begin, Word end, Word step, Word schedule, Word chunk, Word * first, Word * last, Word reductions, \
              Word memory),                                                                                           \
             CALL_FN_W_9W(r, fn, begin, end, step, schedule, chunk, first, last, reductions, memory), begin, end,     \
             LOOP_WORK(schedule_of(schedule), chunk) | (ordered), first ? GOT(step) : 0)
#define GENERAL_ULL_START(wrapper, ordered)                                                                            \
  LOOP_BEGIN(wrapper,                                                                                                  \
             (Word up, Word begin, Word end, Word step, Word schedule, Word chunk, Word * first, Word * last,          \
              Word reductions, Word memory),                                                                           \
             CALL_FN_W_10W(r, fn, up, begin, end, step, schedule, chunk, first, last, reductions, memory), begin, end, \
             LOOP_WORK(schedule_of(schedule), chunk) | (ordered), first ? GOT(step) : 0)
GENERAL_START(wrap_loop_start, 0);
GENERAL_START(wrap_ordered_start, WORK_ORDERED);
GENERAL_ULL_START(wrap_ull_loop_start, 0);
GENERAL_ULL_START(wrap_ull_ordered_start, WORK_ORDERED);
RUNTIME_NAMES(wrap_loop_start, GOMP_loop_start);
RUNTIME_NAMES(wrap_ordered_start, GOMP_loop_ordered_start);
RUNTIME_NAMES(wrap_ull_loop_start, GOMP_loop_ull_start);
RUNTIME_NAMES(wrap_ull_ordered_start, GOMP_loop_ull_ordered_start);
