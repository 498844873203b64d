/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cdrgrind/preload/operation.h"

__thread Operation* cdr_innermost;

int cdr_sync_unwound(int version, int actions, unsigned long exception_class, void* exception, void* context) {
  const Operation* operation = cdr_innermost;
  (void)version, (void)exception_class, (void)exception, (void)context;
  if ((actions & UNWIND_CLEANUP_PHASE) && operation) {
    VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_SYNC_UNWOUND, operation->op, operation->object, operation->object2, 0, 0);
    cdr_innermost = operation->outer;
  }
  return UNWIND_CONTINUE;
}
