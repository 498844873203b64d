// SPDX-License-Identifier: GPL-2.0-or-later
// The numbers that C code and the event stream share.
#include "cdrgrind/base/requests.h"

#include "cdrgrind/base/event.h"
#include "include/cdrgrind/cdrgrind.h"

namespace cdr {
namespace {

#define SAME(c_name, name) static_assert(CDR_SYNC_##c_name == static_cast<int>(SyncOp::name))
SAME(THREAD_CREATE, kThreadCreate);
SAME(THREAD_JOIN, kThreadJoin);
SAME(THREAD_DETACH, kThreadDetach);
SAME(THREAD_EXIT, kThreadExit);
SAME(MUTEX_INIT, kMutexInit);
SAME(MUTEX_DESTROY, kMutexDestroy);
SAME(MUTEX_LOCK, kMutexLock);
SAME(MUTEX_TRY_LOCK, kMutexTryLock);
SAME(MUTEX_TIMED_LOCK, kMutexTimedLock);
SAME(MUTEX_UNLOCK, kMutexUnlock);
SAME(COND_INIT, kCondInit);
SAME(COND_DESTROY, kCondDestroy);
SAME(COND_WAIT, kCondWait);
SAME(COND_TIMED_WAIT, kCondTimedWait);
SAME(COND_SIGNAL, kCondSignal);
SAME(COND_BROADCAST, kCondBroadcast);
SAME(BARRIER_INIT, kBarrierInit);
SAME(BARRIER_DESTROY, kBarrierDestroy);
SAME(BARRIER_WAIT, kBarrierWait);
SAME(SEM_INIT, kSemInit);
SAME(SEM_DESTROY, kSemDestroy);
SAME(SEM_WAIT, kSemWait);
SAME(SEM_TRY_WAIT, kSemTryWait);
SAME(SEM_POST, kSemPost);
SAME(RW_INIT, kRwInit);
SAME(RW_DESTROY, kRwDestroy);
SAME(RW_READ_LOCK, kRwReadLock);
SAME(RW_TRY_READ_LOCK, kRwTryReadLock);
SAME(RW_TIMED_READ_LOCK, kRwTimedReadLock);
SAME(RW_WRITE_LOCK, kRwWriteLock);
SAME(RW_TRY_WRITE_LOCK, kRwTryWriteLock);
SAME(RW_TIMED_WRITE_LOCK, kRwTimedWriteLock);
SAME(RW_UNLOCK, kRwUnlock);
SAME(SPIN_INIT, kSpinInit);
SAME(SPIN_DESTROY, kSpinDestroy);
SAME(SPIN_LOCK, kSpinLock);
SAME(SPIN_TRY_LOCK, kSpinTryLock);
SAME(SPIN_UNLOCK, kSpinUnlock);
SAME(SEM_TIMED_WAIT, kSemTimedWait);
SAME(THREAD_CANCEL, kThreadCancel);
SAME(ONCE, kOnce);
SAME(ONCE_RUN, kOnceRun);
SAME(GUARD_ACQUIRE, kGuardAcquire);
SAME(GUARD_RELEASE, kGuardRelease);
SAME(GUARD_ABORT, kGuardAbort);
SAME(HAPPENS_BEFORE, kHappensBefore);
SAME(HAPPENS_AFTER, kHappensAfter);
SAME(PARALLEL, kParallel);
SAME(IMPLICIT_TASK, kImplicitTask);
SAME(TEAM_BARRIER, kTeamBarrier);
SAME(WORK_BEGIN, kWorkBegin);
SAME(WORK_NEXT, kWorkNext);
SAME(WORK_END, kWorkEnd);
SAME(EXCLUSIVE_BEGIN, kExclusiveBegin);
SAME(EXCLUSIVE_END, kExclusiveEnd);
SAME(TASK_CREATE, kTaskCreate);
SAME(TASK_DATA, kTaskData);
SAME(TASK, kTask);
SAME(TASK_DEPEND, kTaskDepend);
SAME(TASKWAIT, kTaskwait);
SAME(TASKGROUP_BEGIN, kTaskgroupBegin);
SAME(TASKGROUP_END, kTaskgroupEnd);
SAME(THREAD_NUMBER, kThreadNumber);
SAME(DOACROSS_POST, kDoacrossPost);
SAME(DOACROSS_WAIT, kDoacrossWait);
SAME(TASK_FULFIL, kTaskFulfil);
static_assert(CDR_SYNC_END == static_cast<int>(SyncOp::kTaskFulfil) + 1);

// Compiled into users' programs.
static_assert(CDRGRIND_REQ_START_RECORDING == CDR_REQ_USER_FIRST + 0);
static_assert(CDRGRIND_REQ_HIDE_END == CDR_REQ_USER_FIRST + 6);
static_assert(CDR_REQ_BASE == VG_USERREQ_TOOL_BASE('C', 'D'));
#undef SAME

}  // namespace
}  // namespace cdr
