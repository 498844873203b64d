/* SPDX-License-Identifier: GPL-2.0-or-later
 * Client requests between our preload and the tool. Plain C. The codes of include/cdrgrind/cdrgrind.h (for
 * users' programs) start at CDR_REQ_USER_FIRST. */
#ifndef CDRGRIND_BASE_REQUESTS_H
#define CDRGRIND_BASE_REQUESTS_H

#define CDR_REQ_BASE (((unsigned)'C' << 24) | ((unsigned)'D' << 16))

enum {
  /* args: op (SyncOp's value), object, object2, value. Gives the op that the other two take: perhaps with
   * CDR_SYNC_HIDDEN, or SPIN_INIT for SPIN_UNLOCK. */
  CDR_REQ_SYNC_ENTER = CDR_REQ_BASE + 1,
  /* args: op, object, object2, value, result (what the function returned, or -errno for sem_*) */
  CDR_REQ_SYNC_LEAVE = CDR_REQ_BASE + 2,
  /* the wrapper was left by unwinding. args: op, object, object2 */
  CDR_REQ_SYNC_UNWOUND = CDR_REQ_BASE + 3,
  /* heap. args: CDR_HEAP_*, old pointer (free, realloc) or 0, size. Counted per thread: only depth 1 matters. */
  CDR_REQ_HEAP_ENTER = CDR_REQ_BASE + 4,
  /* args: CDR_HEAP_*, new pointer or 0, old pointer, size (usable as the program sees it: what it asked for) */
  CDR_REQ_HEAP_LEAVE = CDR_REQ_BASE + 5,
  CDR_REQ_HEAP_UNWOUND = CDR_REQ_BASE + 6,
  /* MPI (base/mpi_calls.h). args: number of the function, address that it returns to, address in the wrapper's frame.
   * Gives 1 if the call is logged, 0 if not: the library makes it itself, or nobody wants to know. Only then the other
   * two follow. */
  CDR_REQ_MPI_ENTER = CDR_REQ_BASE + 7,
  /* args: CDR_MPI_IS_ARGUMENT …, address of words, how many. Several add up. */
  CDR_REQ_MPI_WORDS = CDR_REQ_BASE + 8,
  /* args: number of the function, result */
  CDR_REQ_MPI_LEAVE = CDR_REQ_BASE + 9,
  /* the thread's next call counts as one that returns to this address; 0: none. Gives what was said before. */
  CDR_REQ_MPI_SITE = CDR_REQ_BASE + 10,
  CDR_REQ_USER_FIRST = CDR_REQ_BASE + 256
};

enum { CDR_HEAP_ALLOC = 1, CDR_HEAP_FREE = 2, CDR_HEAP_REALLOC = 3 };

/* The values of SyncOp in cdrgrind/base/event.h; tests/unit/base/requests_test.cc compares them. */
enum {
  CDR_SYNC_THREAD_CREATE = 1,
  CDR_SYNC_THREAD_JOIN = 2,
  CDR_SYNC_THREAD_DETACH = 3,
  CDR_SYNC_THREAD_EXIT = 4,
  CDR_SYNC_MUTEX_INIT = 5,
  CDR_SYNC_MUTEX_DESTROY = 6,
  CDR_SYNC_MUTEX_LOCK = 7,
  CDR_SYNC_MUTEX_TRY_LOCK = 8,
  CDR_SYNC_MUTEX_TIMED_LOCK = 9,
  CDR_SYNC_MUTEX_UNLOCK = 10,
  CDR_SYNC_COND_INIT = 11,
  CDR_SYNC_COND_DESTROY = 12,
  CDR_SYNC_COND_WAIT = 13,
  CDR_SYNC_COND_TIMED_WAIT = 14,
  CDR_SYNC_COND_SIGNAL = 15,
  CDR_SYNC_COND_BROADCAST = 16,
  CDR_SYNC_BARRIER_INIT = 17,
  CDR_SYNC_BARRIER_DESTROY = 18,
  CDR_SYNC_BARRIER_WAIT = 19,
  CDR_SYNC_SEM_INIT = 20,
  CDR_SYNC_SEM_DESTROY = 21,
  CDR_SYNC_SEM_WAIT = 22,
  CDR_SYNC_SEM_TRY_WAIT = 23,
  CDR_SYNC_SEM_POST = 24,
  CDR_SYNC_RW_INIT = 25,
  CDR_SYNC_RW_DESTROY = 26,
  CDR_SYNC_RW_READ_LOCK = 27,
  CDR_SYNC_RW_TRY_READ_LOCK = 28,
  CDR_SYNC_RW_TIMED_READ_LOCK = 29,
  CDR_SYNC_RW_WRITE_LOCK = 30,
  CDR_SYNC_RW_TRY_WRITE_LOCK = 31,
  CDR_SYNC_RW_TIMED_WRITE_LOCK = 32,
  CDR_SYNC_RW_UNLOCK = 33,
  CDR_SYNC_SPIN_INIT = 34,
  CDR_SYNC_SPIN_DESTROY = 35,
  CDR_SYNC_SPIN_LOCK = 36,
  CDR_SYNC_SPIN_TRY_LOCK = 37,
  CDR_SYNC_SPIN_UNLOCK = 38,
  CDR_SYNC_SEM_TIMED_WAIT = 39,
  CDR_SYNC_THREAD_CANCEL = 40,
  CDR_SYNC_ONCE = 41,
  CDR_SYNC_ONCE_RUN = 42,
  CDR_SYNC_GUARD_ACQUIRE = 43,
  CDR_SYNC_GUARD_RELEASE = 44,
  CDR_SYNC_GUARD_ABORT = 45,
  CDR_SYNC_HAPPENS_BEFORE = 46,
  CDR_SYNC_HAPPENS_AFTER = 47,
  CDR_SYNC_PARALLEL = 48,
  CDR_SYNC_IMPLICIT_TASK = 49,
  CDR_SYNC_TEAM_BARRIER = 50,
  CDR_SYNC_WORK_BEGIN = 51,
  CDR_SYNC_WORK_NEXT = 52,
  CDR_SYNC_WORK_END = 53,
  CDR_SYNC_EXCLUSIVE_BEGIN = 54,
  CDR_SYNC_EXCLUSIVE_END = 55,
  CDR_SYNC_TASK_CREATE = 56,
  CDR_SYNC_TASK_DATA = 57,
  CDR_SYNC_TASK = 58,
  CDR_SYNC_TASK_DEPEND = 59,
  CDR_SYNC_TASKWAIT = 60,
  CDR_SYNC_TASKGROUP_BEGIN = 61,
  CDR_SYNC_TASKGROUP_END = 62,
  CDR_SYNC_THREAD_NUMBER = 63,
  CDR_SYNC_DOACROSS_POST = 64,
  CDR_SYNC_DOACROSS_WAIT = 65,
  CDR_SYNC_TASK_FULFIL = 66,
  CDR_SYNC_END = 67, /* one more than the last that is asked for; the recorder itself has more */
  /* a bit: the operation began in a hide region, or inside a parallel runtime, and is not logged */
  CDR_SYNC_HIDDEN = 256
};

#endif
