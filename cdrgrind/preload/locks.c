/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of the functions on mutexes, reader-writer locks, spin locks and the locks of FILEs. C11's mtx_* and the C++
 * library's mutexes come through these. What waits until a time by some clock is a timed lock. */
#include <stdio.h>

#include "cdrgrind/preload/operation.h"

PTHREAD_2(mutexZuinit, MUTEX_INIT);
PTHREAD_1(mutexZudestroy, MUTEX_DESTROY);
PTHREAD_1(mutexZulock, MUTEX_LOCK);
PTHREAD_1(mutexZutrylock, MUTEX_TRY_LOCK);
PTHREAD_2(mutexZutimedlock, MUTEX_TIMED_LOCK);
PTHREAD_3(mutexZuclocklock, MUTEX_TIMED_LOCK);
PTHREAD_1(mutexZuunlock, MUTEX_UNLOCK);

PTHREAD_2(rwlockZuinit, RW_INIT);
PTHREAD_1(rwlockZudestroy, RW_DESTROY);
PTHREAD_1(rwlockZurdlock, RW_READ_LOCK);
PTHREAD_1(rwlockZutryrdlock, RW_TRY_READ_LOCK);
PTHREAD_2(rwlockZutimedrdlock, RW_TIMED_READ_LOCK);
PTHREAD_3(rwlockZuclockrdlock, RW_TIMED_READ_LOCK);
PTHREAD_1(rwlockZuwrlock, RW_WRITE_LOCK);
PTHREAD_1(rwlockZutrywrlock, RW_TRY_WRITE_LOCK);
PTHREAD_2(rwlockZutimedwrlock, RW_TIMED_WRITE_LOCK);
PTHREAD_3(rwlockZuclockwrlock, RW_TIMED_WRITE_LOCK);
PTHREAD_1(rwlockZuunlock, RW_UNLOCK);

PTHREAD_1(spinZudestroy, SPIN_DESTROY);
PTHREAD_1(spinZulock, SPIN_LOCK);
PTHREAD_1(spinZutrylock, SPIN_TRY_LOCK);

/* In glibc these two are one piece of code: the recorder tells which it is by whether the lock is held. */
PTHREAD_2(spinZuunlock, SPIN_UNLOCK);
NAMES(wrap_pthreadZuspinZuunlock, pthreadZuspinZuinit);

/* A FILE is a recursive mutex for the program's data, too; object2 is the lock that it has. What the C library locks
 * for one of its own calls it mostly locks without these. */
ALWAYS_INLINE Word lock_of_file(Word file) { return (Word)((FILE*)file)->_lock; }
ALWAYS_INLINE long no_result(Word r) { return (void)r, 0; }
#define FILE_1(function, result, op) \
  WRAPPER(function, (Word a), CALL_FN_W_W(r, fn, a), result, op, a, lock_of_file(a), 0, 0)
FILE_1(flockfile, no_result, MUTEX_LOCK);
FILE_1(ftrylockfile, pthread_result, MUTEX_TRY_LOCK);
FILE_1(funlockfile, no_result, MUTEX_UNLOCK);
