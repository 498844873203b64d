/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every wrapper of a synchronisation operation is made of: the record of an operation under way and the
 * table that makes a wrapper of one line.
 *
 * Invariant: an operation that the recorder hides is hidden as a whole. The request *enter* says under which
 * number the operation goes on, and *leave* uses that. */
#ifndef CDRGRIND_PRELOAD_OPERATION_H
#define CDRGRIND_PRELOAD_OPERATION_H

#include <errno.h>

#include "cdrgrind/preload/wrap.h"

/* An operation under way: what the request says when it is left by unwinding. It lives in the wrapper's
 * frame; those of a thread form a list, innermost first. A jump out of a wrapper leaves frames in the list
 * that are gone: they are never looked at. */
typedef struct Operation {
  struct Operation* outer;
  Word op, object, object2;
} Operation;

extern __thread Operation* cdr_innermost __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The personality routine of the wrappers. It needs nothing of the unwinder, whichever that is. */
__attribute__((visibility("hidden"))) int cdr_sync_unwound(int version, int actions, unsigned long exception_class,
                                                           void* exception, void* context);

ALWAYS_INLINE void enter(Operation* operation, Word value) {
  operation->outer = cdr_innermost;
  cdr_innermost = operation;
  operation->op = VALGRIND_DO_CLIENT_REQUEST_EXPR(operation->op, CDR_REQ_SYNC_ENTER, operation->op, operation->object,
                                                  operation->object2, value, 0);
}

ALWAYS_INLINE void leave(const Operation* operation, Word value, long result) {
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_SYNC_LEAVE, operation->op, operation->object, operation->object2, value,
                                  result);
  cdr_innermost = operation->outer;
}

/* A wrapper may be entered by a jump out of the function that a wrapper has called: pthread_spin_lock spins back
 * to its first instruction, and the functions on old condition variables go on as those on present ones. That
 * is no operation of its own. Then the wrapper returns into our code, and its caller's frame, which begins
 * where %rbp points, holds the innermost operation. Code of the program that we call, a once routine, a task or a
 * region of a parallel runtime, returns into our code as well if it ends with a call as a jump: that is one. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _etext[] __attribute__((visibility("hidden")));
ALWAYS_INLINE int entered_by_jump(const char* return_address, char* const* frame) {
  const char* within = (const char*)cdr_innermost;
  if (return_address < __ehdr_start || return_address >= _etext) return 0;
  if (within < (const char*)frame || within >= *frame) return 0;
  switch (cdr_innermost->op & ~(Word)CDR_SYNC_HIDDEN) {
    case CDR_SYNC_ONCE_RUN:
    case CDR_SYNC_IMPLICIT_TASK:
    case CDR_SYNC_TASK_DATA:
    case CDR_SYNC_TASK:
      return 0;
    default:
      return 1;
  }
}
#define ENTERED_BY_JUMP() entered_by_jump(__builtin_return_address(0), __builtin_frame_address(0))

/* Unwinding meets the wrapper's frame all the same. */
ALWAYS_INLINE void enter_unlogged(Operation* operation) {
  operation->outer = cdr_innermost;
  operation->op |= CDR_SYNC_HIDDEN;
  cdr_innermost = operation;
}
ALWAYS_INLINE void leave_unlogged(const Operation* operation) { cdr_innermost = operation->outer; }

/* The results of pthread functions are error numbers; sem_* return -1 and set errno. */
ALWAYS_INLINE long pthread_result(Word r) { return (int)r; }
ALWAYS_INLINE long sem_result(Word r) { return (int)r == -1 ? -(long)errno : (int)r; }

/* Names in both libraries, as Valgrind reads them with and without the symbol's version. glibc has had
 * everything in libc.so since 2.34. */
#define NAMES(wrapper, function)                 \
  NAME_ZZ(wrapper, libcZdsoZa, function);        \
  NAME_ZZ(wrapper, libcZdsoZa, function##ZAZa);  \
  NAME_ZZ(wrapper, libpthreadZdsoZd0, function); \
  NAME_ZZ(wrapper, libpthreadZdsoZd0, function##ZAZa)

/* WRAPPER(function, parameters, the call, how to read the result,
 *         operation, object, object2, value at enter, value at leave) */
#define WRAPPER(function, parameters, call, result, op, object, object2, value, left_value) \
  static int wrap_##function parameters {                                                   \
    OrigFn fn = original();                                                                 \
    Operation operation = {0, CDR_SYNC_##op, (object), (object2)};                          \
    Word r;                                                                                 \
    UNWOUND_BY(cdr_sync_unwound);                                                           \
    if (ENTERED_BY_JUMP()) {                                                                \
      enter_unlogged(&operation);                                                           \
      call;                                                                                 \
      leave_unlogged(&operation);                                                           \
      return (int)r;                                                                        \
    }                                                                                       \
    enter(&operation, value);                                                               \
    call;                                                                                   \
    leave(&operation, left_value, result(r));                                               \
    return (int)r;                                                                          \
  }                                                                                         \
  NAMES(wrap_##function, function)

/* Most operate on their first argument; the number says how many there are. */
#define PTHREAD_1(function, op) \
  WRAPPER(pthreadZu##function, (Word a), CALL_FN_W_W(r, fn, a), pthread_result, op, a, 0, 0, 0)
#define PTHREAD_2(function, op) \
  WRAPPER(pthreadZu##function, (Word a, Word b), CALL_FN_W_WW(r, fn, a, b), pthread_result, op, a, 0, 0, 0)
#define PTHREAD_3(function, op) \
  WRAPPER(pthreadZu##function, (Word a, Word b, Word c), CALL_FN_W_WWW(r, fn, a, b, c), pthread_result, op, a, 0, 0, 0)
#define PTHREAD_4(function, op)                                                                                     \
  WRAPPER(pthreadZu##function, (Word a, Word b, Word c, Word d), CALL_FN_W_WWWW(r, fn, a, b, c, d), pthread_result, \
          op, a, 0, 0, 0)
#define SEM_1(function, op) WRAPPER(semZu##function, (Word a), CALL_FN_W_W(r, fn, a), sem_result, op, a, 0, 0, 0)
#define SEM_2(function, op) \
  WRAPPER(semZu##function, (Word a, Word b), CALL_FN_W_WW(r, fn, a, b), sem_result, op, a, 0, 0, 0)
#define SEM_3(function, op) \
  WRAPPER(semZu##function, (Word a, Word b, Word c), CALL_FN_W_WWW(r, fn, a, b, c), sem_result, op, a, 0, 0, 0)

#endif
