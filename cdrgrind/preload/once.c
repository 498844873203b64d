/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of what runs a piece of code once: pthread_once, through which C11's call_once and libstdc++'s
 * std::call_once come, and the guards of C++'s local static variables. */
#include "cdrgrind/preload/operation.h"

typedef struct {
  Operation operation; /* first: the list's innermost is this one when the routine is called */
  void (*routine)(void);
  Word ran;
} Once;

/* Stands for the routine of the innermost pthread_once. What follows the routine's return is ordered behind
 * it, so its leave is the release. */
static void run_once(void) {
  Once* once = (Once*)cdr_innermost;
  Operation operation = {0, CDR_SYNC_ONCE_RUN, once->operation.object, 0};
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 0);
  once->routine();
  leave(&operation, 0, 0);
  once->ran = 1;
}

static int wrap_once(Word control, void (*routine)(void)) {
  OrigFn fn = original();
  Once once = {{0, CDR_SYNC_ONCE, control, 0}, routine, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&once.operation, 0);
  CALL_FN_W_WW(r, fn, control, run_once);
  leave(&once.operation, once.ran, (int)r);
  return (int)r;
}
NAMES(wrap_once, pthreadZuonce);

/* In the libraries that bring the C++ ABI, and in programs that have it linked in. */
#define CXX_ABI_NAMES(wrapper, function)     \
  NAME_ZU(wrapper, libstdcZpZpZa, function); \
  NAME_ZU(wrapper, libcZpZpabiZa, function); \
  NAME_ZU(wrapper, libcZpZpZa, function);    \
  NAME_ZU(wrapper, NONE, function)

/* 1 if the caller must initialise the variable. */
static int wrap_guard_acquire(Word guard) {
  OrigFn fn = original();
  Operation operation = {0, CDR_SYNC_GUARD_ACQUIRE, guard, 0};
  Word r;
  UNWOUND_BY(cdr_sync_unwound);
  enter(&operation, 0);
  CALL_FN_W_W(r, fn, guard);
  leave(&operation, (int)r != 0, (int)r);
  return (int)r;
}
CXX_ABI_NAMES(wrap_guard_acquire, __cxa_guard_acquire);

#define END_GUARD(function, op)                         \
  static void wrap_##function(Word guard) {             \
    OrigFn fn = original();                             \
    Operation operation = {0, CDR_SYNC_##op, guard, 0}; \
    UNWOUND_BY(cdr_sync_unwound);                       \
    enter(&operation, 0);                               \
    CALL_FN_v_W(fn, guard);                             \
    leave(&operation, 0, 0);                            \
  }                                                     \
  CXX_ABI_NAMES(wrap_##function, function)

END_GUARD(__cxa_guard_release, GUARD_RELEASE);
END_GUARD(__cxa_guard_abort, GUARD_ABORT);
