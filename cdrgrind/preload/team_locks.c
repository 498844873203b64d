/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of what only one thread does at a time in libgomp: critical, atomic by call, locks, ordered. */
#include "cdrgrind/preload/runtime_call.h"

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

BEGIN(wrap_critical_start, THE_CRITICAL, EXCLUSIVE_CRITICAL);
END(wrap_critical_end, THE_CRITICAL, EXCLUSIVE_CRITICAL);
BEGIN_OF(wrap_named_start, EXCLUSIVE_NAMED);
END_OF(wrap_named_end, EXCLUSIVE_NAMED);
BEGIN(wrap_atomic_start, THE_ATOMIC, EXCLUSIVE_ATOMIC);
END(wrap_atomic_end, THE_ATOMIC, EXCLUSIVE_ATOMIC);
BEGIN(wrap_ordered_start, THE_ORDERED, EXCLUSIVE_ORDERED);
END(wrap_ordered_end, THE_ORDERED, EXCLUSIVE_ORDERED);
RUNTIME_NAMES(wrap_critical_start, GOMP_critical_start);
RUNTIME_NAMES(wrap_critical_end, GOMP_critical_end);
RUNTIME_NAMES(wrap_named_start, GOMP_critical_name_start);
RUNTIME_NAMES(wrap_named_end, GOMP_critical_name_end);
RUNTIME_NAMES(wrap_atomic_start, GOMP_atomic_start);
RUNTIME_NAMES(wrap_atomic_end, GOMP_atomic_end);
RUNTIME_NAMES(wrap_ordered_start, GOMP_ordered_start);
RUNTIME_NAMES(wrap_ordered_end, GOMP_ordered_end);

BEGIN_OF(wrap_set_lock, EXCLUSIVE_LOCK);
TEST_OF(wrap_test_lock, EXCLUSIVE_LOCK);
END_OF(wrap_unset_lock, EXCLUSIVE_LOCK);
BEGIN_OF(wrap_set_nest_lock, EXCLUSIVE_NEST_LOCK);
TEST_OF(wrap_test_nest_lock, EXCLUSIVE_NEST_LOCK);
END_OF(wrap_unset_nest_lock, EXCLUSIVE_NEST_LOCK);
VERSIONED_NAMES(wrap_set_lock, ompZusetZulock);
VERSIONED_NAMES(wrap_test_lock, ompZutestZulock);
VERSIONED_NAMES(wrap_unset_lock, ompZuunsetZulock);
VERSIONED_NAMES(wrap_set_nest_lock, ompZusetZunestZulock);
VERSIONED_NAMES(wrap_test_nest_lock, ompZutestZunestZulock);
VERSIONED_NAMES(wrap_unset_nest_lock, ompZuunsetZunestZulock);
