/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of libgomp's doacross loops: ordered(n), depend(source), depend(sink). The compiler numbers the iterations
 * of each loop from 0; an iteration of all of them has one number in the log. Those of more than MOST_LOOPS loops have
 * that of the outermost so many. */
#include "cdrgrind/preload/runtime_call.h"

__thread IterationSpace cdr_iteration_space __attribute__((tls_model("initial-exec")));

static Word begin_space(Word loops, const Word* sizes) {
  cdr_iteration_space.loops = (unsigned)loops < MOST_LOOPS ? (unsigned)loops : MOST_LOOPS;
  for (Word i = 0; i < cdr_iteration_space.loops; i++) cdr_iteration_space.sizes[i] = sizes[i];
  return sizes[0];
}
static Word number_of(const Word* iteration) {
  Word number = 0;
  for (Word i = 0; i < cdr_iteration_space.loops; i++) number = number * cdr_iteration_space.sizes[i] + iteration[i];
  return number;
}

/* The iterations of the outermost loop are shared out. */
#define DOACROSS_BEGIN(wrapper, parameters, call, work) \
  LOOP_BEGIN(wrapper, parameters, call, 0, begin_space(loops, sizes), work, bool_result(r))
#define DOACROSS_START(wrapper, schedule)                                                    \
  DOACROSS_BEGIN(wrapper, (Word loops, Word * sizes, Word chunk, Word * first, Word * last), \
                 CALL_FN_W_5W(r, fn, loops, sizes, chunk, first, last), LOOP_WORK(schedule, chunk))
DOACROSS_START(wrap_doacross_static, SCHEDULE_STATIC);
DOACROSS_START(wrap_doacross_dynamic, SCHEDULE_DYNAMIC);
DOACROSS_START(wrap_doacross_guided, SCHEDULE_GUIDED);
DOACROSS_BEGIN(wrap_doacross_runtime, (Word loops, Word* sizes, Word* first, Word* last),
               CALL_FN_W_WWWW(r, fn, loops, sizes, first, last), LOOP_WORK(SCHEDULE_RUNTIME, 0));
DOACROSS_BEGIN(wrap_doacross,
               (Word loops, Word* sizes, Word schedule, Word chunk, Word* first, Word* last, Word reductions,
                Word memory),
               CALL_FN_W_8W(r, fn, loops, sizes, schedule, chunk, first, last, reductions, memory),
               LOOP_WORK(schedule_of(schedule), chunk));
RUNTIME_NAMES(wrap_doacross_static, GOMP_loop_doacross_static_start);
RUNTIME_NAMES(wrap_doacross_static, GOMP_loop_ull_doacross_static_start);
RUNTIME_NAMES(wrap_doacross_dynamic, GOMP_loop_doacross_dynamic_start);
RUNTIME_NAMES(wrap_doacross_dynamic, GOMP_loop_ull_doacross_dynamic_start);
RUNTIME_NAMES(wrap_doacross_guided, GOMP_loop_doacross_guided_start);
RUNTIME_NAMES(wrap_doacross_guided, GOMP_loop_ull_doacross_guided_start);
RUNTIME_NAMES(wrap_doacross_runtime, GOMP_loop_doacross_runtime_start);
RUNTIME_NAMES(wrap_doacross_runtime, GOMP_loop_ull_doacross_runtime_start);
RUNTIME_NAMES(wrap_doacross, GOMP_loop_doacross_start);
RUNTIME_NAMES(wrap_doacross, GOMP_loop_ull_doacross_start);

RUNTIME_CALL(wrap_doacross_post, (Word * iteration), CALL_FN_W_W(r, fn, iteration), CDR_SYNC_DOACROSS_POST,
             number_of(iteration), 0, 0, 0, 0, 0, r);
RUNTIME_NAMES(wrap_doacross_post, GOMP_doacross_post);
RUNTIME_NAMES(wrap_doacross_post, GOMP_doacross_ull_post);

/* It has as many arguments as there are loops; those behind the sixth lie on the stack. */
static Word wrap_doacross_wait(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k,
                               Word l) {
  OrigFn fn = original();
  const int few = cdr_iteration_space.loops <= 6;
  const Word iteration[MOST_LOOPS] = {a,           b,           c,           d,           e,           f,
                                      few ? 0 : g, few ? 0 : h, few ? 0 : i, few ? 0 : j, few ? 0 : k, few ? 0 : l};
  Operation operation = {0, CDR_SYNC_DOACROSS_WAIT, number_of(iteration), 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 0);
  if (few)
    CALL_FN_W_6W(r, fn, a, b, c, d, e, f);
  else
    CALL_FN_W_12W(r, fn, a, b, c, d, e, f, g, h, i, j, k, l);
  leave(&operation, 0, 0);
  return r;
}
RUNTIME_NAMES(wrap_doacross_wait, GOMP_doacross_wait);
RUNTIME_NAMES(wrap_doacross_wait, GOMP_doacross_ull_wait);
