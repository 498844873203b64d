/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of what only one thread does at a time in libgomp: critical, atomic by call, locks, ordered. */
#include "cdrgrind/preload/runtime_call.h"

enum { CRITICAL = 0, NAMED_CRITICAL = 1, ATOMIC = 2, LOCK = 3, NEST_LOCK = 4, ORDERED = 5 };

/* What has no name of its own: no object of the program stands there. */
enum { THE_CRITICAL = 1, THE_ATOMIC = 2, THE_ORDERED = 3 };

#define BEGIN(wrapper, object, kind) \
  RUNTIME_CALL(wrapper, (void), CALL_FN_W_v(r, fn), CDR_SYNC_EXCLUSIVE_BEGIN, object, 0, kind, 0, kind, 1, r)
#define END(wrapper, object, kind) \
  RUNTIME_CALL(wrapper, (void), CALL_FN_W_v(r, fn), CDR_SYNC_EXCLUSIVE_END, object, 0, kind, 0, kind, 0, r)
#define BEGIN_OF(wrapper, kind) \
  RUNTIME_CALL(wrapper, (Word lock), CALL_FN_W_W(r, fn, lock), CDR_SYNC_EXCLUSIVE_BEGIN, lock, 0, kind, 0, kind, 1, r)
#define TEST_OF(wrapper, kind)                                                                                   \
  RUNTIME_CALL(wrapper, (Word lock), CALL_FN_W_W(r, fn, lock), CDR_SYNC_EXCLUSIVE_BEGIN, lock, 0, kind, 0, kind, \
               (int)r != 0, r)
#define END_OF(wrapper, kind) \
  RUNTIME_CALL(wrapper, (Word lock), CALL_FN_W_W(r, fn, lock), CDR_SYNC_EXCLUSIVE_END, lock, 0, kind, 0, kind, 0, r)

BEGIN(wrap_critical_start, THE_CRITICAL, CRITICAL);
END(wrap_critical_end, THE_CRITICAL, CRITICAL);
BEGIN_OF(wrap_named_start, NAMED_CRITICAL);
END_OF(wrap_named_end, NAMED_CRITICAL);
BEGIN(wrap_atomic_start, THE_ATOMIC, ATOMIC);
END(wrap_atomic_end, THE_ATOMIC, ATOMIC);
BEGIN(wrap_ordered_start, THE_ORDERED, ORDERED);
END(wrap_ordered_end, THE_ORDERED, ORDERED);
RUNTIME_NAMES(wrap_critical_start, GOMP_critical_start);
RUNTIME_NAMES(wrap_critical_end, GOMP_critical_end);
RUNTIME_NAMES(wrap_named_start, GOMP_critical_name_start);
RUNTIME_NAMES(wrap_named_end, GOMP_critical_name_end);
RUNTIME_NAMES(wrap_atomic_start, GOMP_atomic_start);
RUNTIME_NAMES(wrap_atomic_end, GOMP_atomic_end);
RUNTIME_NAMES(wrap_ordered_start, GOMP_ordered_start);
RUNTIME_NAMES(wrap_ordered_end, GOMP_ordered_end);

BEGIN_OF(wrap_set_lock, LOCK);
TEST_OF(wrap_test_lock, LOCK);
END_OF(wrap_unset_lock, LOCK);
BEGIN_OF(wrap_set_nest_lock, NEST_LOCK);
TEST_OF(wrap_test_nest_lock, NEST_LOCK);
END_OF(wrap_unset_nest_lock, NEST_LOCK);
VERSIONED_NAMES(wrap_set_lock, ompZusetZulock);
VERSIONED_NAMES(wrap_test_lock, ompZutestZulock);
VERSIONED_NAMES(wrap_unset_lock, ompZuunsetZulock);
VERSIONED_NAMES(wrap_set_nest_lock, ompZusetZunestZulock);
VERSIONED_NAMES(wrap_test_nest_lock, ompZutestZunestZulock);
VERSIONED_NAMES(wrap_unset_nest_lock, ompZuunsetZunestZulock);
