/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the wrappers of libgomp's entry points are made of. The program asks the runtime for something: *enter*; the
 * runtime calls the program's functions through ours, which tell when these begin and end; *leave*.
 *
 * Invariant: nothing of what the runtime does in between is logged but those calls; the recorder sees to that. */
#ifndef CDRGRIND_PRELOAD_RUNTIME_CALL_H
#define CDRGRIND_PRELOAD_RUNTIME_CALL_H

#include "cdrgrind/preload/operation.h"

/* In the library, and in programs that have it linked in. */
#define RUNTIME_NAMES(wrapper, function)      \
  NAME_ZU(wrapper, libgompZdsoZd1, function); \
  NAME_ZU(wrapper, NONE, function)
/* The same of LLVM's, which is Intel's. */
#define KMP_NAMES(wrapper, function)          \
  NAME_ZU(wrapper, libompZdsoZa, function);   \
  NAME_ZU(wrapper, libiomp5ZdsoZa, function); \
  NAME_ZU(wrapper, NONE, function)
/* Those with several versions, in Z-encoding. */
#define VERSIONED_NAMES(wrapper, function)          \
  NAME_ZZ(wrapper, libgompZdsoZd1, function);       \
  NAME_ZZ(wrapper, libgompZdsoZd1, function##ZAZa); \
  NAME_ZZ(wrapper, libompZdsoZa, function);         \
  NAME_ZZ(wrapper, libompZdsoZa, function##ZAZa);   \
  NAME_ZZ(wrapper, libiomp5ZdsoZa, function);       \
  NAME_ZZ(wrapper, NONE, function)

/* Value of CDR_SYNC_THREAD_NUMBER: tells nothing but that the thread is in the runtime. */
enum { UNTOLD = 2 };

/* An operation around nothing. */
ALWAYS_INLINE void tell(Word op, Word object, Word object2, Word value, long result) {
  Operation operation = {0, op, object, object2};
  enter(&operation, value);
  leave(&operation, value, result);
}

/* A bool leaves the upper part of its register as it was. */
ALWAYS_INLINE Word bool_result(Word r) { return r & 0xff; }

/* RUNTIME_CALL(wrapper, parameters, the call, operation, object, object2, value at enter,
 *              object2 at leave, value at leave, result at leave, what is returned) */
#define RUNTIME_CALL(wrapper, parameters, call, operation_code, object_word, object2_word, value, left_object2, \
                     left_value, left_result, returned)                                                         \
  static Word wrapper parameters {                                                                              \
    OrigFn fn = original();                                                                                     \
    Operation operation = {0, (operation_code), (object_word), (object2_word)};                                 \
    Word r = 0;                                                                                                 \
    UNWOUND_BY(cdr_sync_unwound);                                                                               \
    enter(&operation, (value));                                                                                 \
    call;                                                                                                       \
    operation.object2 = (left_object2);                                                                         \
    leave(&operation, (left_value), (long)(left_result));                                                       \
    return (returned);                                                                                          \
  }                                                                                                             \
  typedef int runtime_call_##wrapper

/* A call without arguments; of what the runtime returns, a bool is the result. */
#define PLAIN_CALL(wrapper, operation_code, object, value) \
  RUNTIME_CALL(wrapper, (void), CALL_FN_W_v(r, fn), operation_code, object, 0, value, 0, 0, 0, r)
#define BOOL_CALL(wrapper, operation_code, object, value)                                                   \
  RUNTIME_CALL(wrapper, (void), CALL_FN_W_v(r, fn), operation_code, object, 0, value, 0, 0, bool_result(r), \
               bool_result(r))

/* Kinds and schedules of worksharing, as cdrgrind/base/event.h has them. */
enum { WORK_LOOP = 1, WORK_SECTIONS = 2, WORK_SINGLE = 3, WORK_COPY_SINGLE = 4 };
/* Of a single: who executes it tells its end. */
enum { WORK_ENDS_TOLD = 1 << 8 };
enum { SCHEDULE_STATIC = 1, SCHEDULE_DYNAMIC = 2, SCHEDULE_GUIDED = 3, SCHEDULE_RUNTIME = 4 };
#define WORK_ORDERED ((Word)1 << 7)
#define LOOP_WORK(schedule, chunk) (WORK_LOOP | (Word)(schedule) << 4 | (Word)(chunk) << 8)

/* Of what only one thread does at a time, likewise; and what has no name of its own: no object of the program stands
 * there. */
enum {
  EXCLUSIVE_CRITICAL = 0,
  EXCLUSIVE_NAMED = 1,
  EXCLUSIVE_ATOMIC = 2,
  EXCLUSIVE_LOCK = 3,
  EXCLUSIVE_NEST_LOCK = 4,
  EXCLUSIVE_ORDERED = 5
};
enum { THE_CRITICAL = 1, THE_ATOMIC = 2, THE_ORDERED = 3 };

/* A worksharing loop begins, and the thread may have got a part of it, which stands where `first` and `last` point;
 * `got` is never 0 if it has.
 * LOOP_BEGIN(wrapper, parameters, the call, its first iteration, its end, kind and schedule, got) */
#define PART(pointer) (bool_result(r) && (pointer) ? *(pointer) : 0)
#define LOOP_BEGIN(wrapper, parameters, call, begin, end, work, got)                                           \
  RUNTIME_CALL(wrapper, parameters, call, CDR_SYNC_WORK_BEGIN, begin, end, work, PART(first), PART(last), got, \
               bool_result(r))

/* The schedule as an argument: 0 runtime, 1 static, 2 dynamic, 3 guided, 4 auto, and bits above. */
ALWAYS_INLINE Word schedule_of(Word schedule) {
  const Word kind = schedule & 7;
  return kind == 0 ? SCHEDULE_RUNTIME : kind == 4 ? SCHEDULE_STATIC : kind;
}

/* In the value of CDR_SYNC_PARALLEL. */
#define LEAGUE ((Word)1 << 32)

/* How many iterations the loops of the thread's doacross construct have, outermost first. */
enum { MOST_LOOPS = 12 };
typedef struct {
  Word loops;
  Word sizes[MOST_LOOPS];
  /* of libomp: the loop's variable begins there and goes on so */
  long begins[MOST_LOOPS], steps[MOST_LOOPS];
} IterationSpace;
extern __thread IterationSpace cdr_iteration_space __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
