/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What wrappers of tasks have in common. */
#ifndef CDRGRIND_PRELOAD_TASK_H
#define CDRGRIND_PRELOAD_TASK_H

#include "cdrgrind/preload/runtime_call.h"

/* Of cdrgrind/base/event.h. */
enum { UNDEFERRED = 1, IS_FINAL = 2, IS_LOOP = 4, HAS_NO_GROUP = 8, IS_DETACHED = 16, IS_OF_TARGET = 32 };
enum { KIND_IN = 1, KIND_OUT = 2, KIND_MUTEXINOUTSET = 3, KIND_INOUTSET = 4 };

__attribute__((visibility("hidden"))) Word cdr_new_task(void);
/* Of libgomp's list. */
__attribute__((visibility("hidden"))) void cdr_tell_dependences(Word* const* list);

ALWAYS_INLINE void depend_on(Word address, Word kind) {
  Operation operation = {0, CDR_SYNC_TASK_DEPEND, address, 0};
  enter(&operation, kind);
  leave(&operation, kind, 0);
}

#endif
