/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What wrappers of the entry points of LLVM's libomp have in common. Most begin with where in the source they are
 * called, and the thread's number.
 *
 * A region of one thread whose function the program calls by itself (__kmpc_serialized_parallel) is no team: it is part
 * of what runs there, and what would be its team's alone is not told. */
#ifndef CDRGRIND_PRELOAD_KMP_H
#define CDRGRIND_PRELOAD_KMP_H

#include "cdrgrind/preload/team.h"

#define TOLD_OR(value) (cdr_serialized ? UNTOLD : (value))
#define OF_TEAM(operation_code) (cdr_serialized ? CDR_SYNC_THREAD_NUMBER : (operation_code))

#define UNTOLD_CALL(wrapper, parameters, call) \
  RUNTIME_CALL(wrapper, parameters, call, CDR_SYNC_THREAD_NUMBER, 0, 0, UNTOLD, 0, UNTOLD, 0, r)

/* The runtime calls its own entry points, too. */
ALWAYS_INLINE int within_operation(void) {
  const Word op = cdr_innermost ? cdr_innermost->op & ~(Word)CDR_SYNC_HIDDEN : 0;
  return op >= CDR_SYNC_PARALLEL && op != CDR_SYNC_IMPLICIT_TASK && op != CDR_SYNC_TASK_DATA && op != CDR_SYNC_TASK;
}

#endif
