/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of the pthread and semaphore functions: one line each in the tables below. C11 threads and the C++
 * library come through these functions too.
 *
 * Not here: what synchronises by futexes alone (std::atomic::wait, libgomp), and the C library's own locks. */
#include <errno.h>

#include "cdrgrind/preload/wrap.h"

/* An operation under way: what the request says when it is left by unwinding. It lives in the wrapper's
 * frame; those of a thread form a list, innermost first. */
typedef struct Operation {
  struct Operation* outer;
  Word op, object, object2;
} Operation;

static __thread Operation* innermost __attribute__((tls_model("initial-exec")));

ALWAYS_INLINE void enter(Operation* operation, Word value) {
  operation->outer = innermost;
  innermost = operation;
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_SYNC_ENTER, operation->op, operation->object, operation->object2, value, 0);
}

ALWAYS_INLINE void leave(const Operation* operation, Word value, long result) {
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_SYNC_LEAVE, operation->op, operation->object, operation->object2, value,
                                  result);
  innermost = operation->outer;
}

/* The personality routine of the wrappers below. It needs nothing of the unwinder, whichever that is. */
__attribute__((visibility("hidden"), used)) int cdr_sync_unwound(int version, int actions,
                                                                 unsigned long exception_class, void* exception,
                                                                 void* context) {
  const Operation* operation = innermost;
  (void)version, (void)exception_class, (void)exception, (void)context;
  if ((actions & UNWIND_CLEANUP_PHASE) && operation) {
    VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_SYNC_UNWOUND, operation->op, operation->object, operation->object2, 0, 0);
    innermost = operation->outer;
  }
  return UNWIND_CONTINUE;
}

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

PTHREAD_2(join, THREAD_JOIN);
PTHREAD_2(tryjoinZunp, THREAD_JOIN);
PTHREAD_3(timedjoinZunp, THREAD_JOIN);
PTHREAD_4(clockjoinZunp, THREAD_JOIN);
PTHREAD_1(detach, THREAD_DETACH);

PTHREAD_2(mutexZuinit, MUTEX_INIT);
PTHREAD_1(mutexZudestroy, MUTEX_DESTROY);
PTHREAD_1(mutexZulock, MUTEX_LOCK);
PTHREAD_1(mutexZutrylock, MUTEX_TRY_LOCK);
PTHREAD_2(mutexZutimedlock, MUTEX_TIMED_LOCK);
PTHREAD_1(mutexZuunlock, MUTEX_UNLOCK);

PTHREAD_2(condZuinit, COND_INIT);
PTHREAD_1(condZudestroy, COND_DESTROY);
PTHREAD_1(condZusignal, COND_SIGNAL);
PTHREAD_1(condZubroadcast, COND_BROADCAST);

PTHREAD_1(barrierZudestroy, BARRIER_DESTROY);

SEM_1(destroy, SEM_DESTROY);
SEM_1(wait, SEM_WAIT);
SEM_1(trywait, SEM_TRY_WAIT);
SEM_1(post, SEM_POST);

/* A condition is waited for with a mutex: object2. */
WRAPPER(pthreadZucondZuwait, (Word condition, Word mutex), CALL_FN_W_WW(r, fn, condition, mutex), pthread_result,
        COND_WAIT, condition, mutex, 0, 0);
WRAPPER(pthreadZucondZutimedwait, (Word condition, Word mutex, Word until),
        CALL_FN_W_WWW(r, fn, condition, mutex, until), pthread_result, COND_TIMED_WAIT, condition, mutex, 0, 0);

/* Counts are unsigned ints: the upper halves of their registers hold anything. */
WRAPPER(pthreadZubarrierZuinit, (Word barrier, Word attributes, Word count),
        CALL_FN_W_WWW(r, fn, barrier, attributes, count), pthread_result, BARRIER_INIT, barrier, 0, (unsigned)count,
        (unsigned)count);
WRAPPER(semZuinit, (Word semaphore, Word shared, Word count), CALL_FN_W_WWW(r, fn, semaphore, shared, count),
        sem_result, SEM_INIT, semaphore, 0, (unsigned)count, (unsigned)count);

/* PTHREAD_BARRIER_SERIAL_THREAD is -1. */
WRAPPER(pthreadZubarrierZuwait, (Word barrier), CALL_FN_W_W(r, fn, barrier), pthread_result, BARRIER_WAIT, barrier, 0,
        0, (int)r == -1);

/* The object, the pthread_t, is known when the thread has been made. */
static int wrap_create(Word* thread, Word attributes, Word routine, Word argument) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_THREAD_CREATE, 0, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 0);
  CALL_FN_W_WWWW(r, fn, thread, attributes, routine, argument);
  if ((int)r == 0) operation.object = *thread;
  leave(&operation, 0, (int)r);
  return (int)r;
}
NAMES(wrap_create, pthreadZucreate);

/* Never leaves: the thread's end closes it. Its frame is unwound, and says nothing. */
static void wrap_exit(Word value) {
  OrigFn fn = original();
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_SYNC_ENTER, CDR_SYNC_THREAD_EXIT, 0, 0, 0, 0);
  CALL_FN_v_W(fn, value);
}
NAMES(wrap_exit, pthreadZuexit);
