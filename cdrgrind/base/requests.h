/* SPDX-License-Identifier: GPL-2.0-or-later
 * Client requests between our preload and the tool. Plain C. The codes of include/cdrgrind/cdrgrind.h (for
 * users' programs) start at CDR_REQ_USER_FIRST. */
#ifndef CDRGRIND_BASE_REQUESTS_H
#define CDRGRIND_BASE_REQUESTS_H

#define CDR_REQ_BASE (((unsigned)'C' << 24) | ((unsigned)'D' << 16))

enum {
  /* args: op (SyncOp's value), object, object2, value */
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
  CDR_REQ_USER_FIRST = CDR_REQ_BASE + 256
};

enum { CDR_HEAP_ALLOC = 1, CDR_HEAP_FREE = 2, CDR_HEAP_REALLOC = 3 };

#endif
