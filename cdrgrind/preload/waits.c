/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of the functions on condition variables, barriers and semaphores. C11's cnd_* and
 * std::condition_variable come through these. What waits until a time by some clock is a timed wait. */
#include "cdrgrind/preload/operation.h"

PTHREAD_2(condZuinit, COND_INIT);
PTHREAD_1(condZudestroy, COND_DESTROY);
PTHREAD_1(condZusignal, COND_SIGNAL);
PTHREAD_1(condZubroadcast, COND_BROADCAST);

PTHREAD_1(barrierZudestroy, BARRIER_DESTROY);

SEM_1(destroy, SEM_DESTROY);
SEM_1(wait, SEM_WAIT);
SEM_1(trywait, SEM_TRY_WAIT);
SEM_2(timedwait, SEM_TIMED_WAIT);
SEM_3(clockwait, SEM_TIMED_WAIT);
SEM_1(post, SEM_POST);

/* A condition is waited for with a mutex: object2. */
WRAPPER(pthreadZucondZuwait, (Word condition, Word mutex), CALL_FN_W_WW(r, fn, condition, mutex), pthread_result,
        COND_WAIT, condition, mutex, 0, 0);
WRAPPER(pthreadZucondZutimedwait, (Word condition, Word mutex, Word until),
        CALL_FN_W_WWW(r, fn, condition, mutex, until), pthread_result, COND_TIMED_WAIT, condition, mutex, 0, 0);
WRAPPER(pthreadZucondZuclockwait, (Word condition, Word mutex, Word clock, Word until),
        CALL_FN_W_WWWW(r, fn, condition, mutex, clock, until), pthread_result, COND_TIMED_WAIT, condition, mutex, 0, 0);

/* Counts are unsigned ints: the upper halves of their registers hold anything. */
WRAPPER(pthreadZubarrierZuinit, (Word barrier, Word attributes, Word count),
        CALL_FN_W_WWW(r, fn, barrier, attributes, count), pthread_result, BARRIER_INIT, barrier, 0, (unsigned)count,
        (unsigned)count);
WRAPPER(semZuinit, (Word semaphore, Word shared, Word count), CALL_FN_W_WWW(r, fn, semaphore, shared, count),
        sem_result, SEM_INIT, semaphore, 0, (unsigned)count, (unsigned)count);

/* PTHREAD_BARRIER_SERIAL_THREAD is -1. */
WRAPPER(pthreadZubarrierZuwait, (Word barrier), CALL_FN_W_W(r, fn, barrier), pthread_result, BARRIER_WAIT, barrier, 0,
        0, (int)r == -1);
