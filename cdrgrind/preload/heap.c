/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wrappers of malloc and its kin and of C++'s operator new and delete. They wrap, they do not replace: the
 * program keeps its allocator. Allocators call each other (operator new calls malloc): all report, and the
 * recorder takes the outermost.
 *
 * Sizes are what the program asked for. A failed allocation leaves with the pointer 0; realloc(p, 0) that
 * returns 0 has freed p. */
#include "cdrgrind/preload/wrap.h"

ALWAYS_INLINE void enter(Word kind, Word old, Word size) {
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_HEAP_ENTER, kind, old, size, 0, 0);
}

ALWAYS_INLINE void leave(Word kind, Word block, Word old, Word size) {
  VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_HEAP_LEAVE, kind, block, old, size, 0);
}

/* The personality routine of the wrappers below; operator new throws. */
__attribute__((visibility("hidden"), used)) int cdr_heap_unwound(int version, int actions,
                                                                 unsigned long exception_class, void* exception,
                                                                 void* context) {
  (void)version, (void)exception_class, (void)exception, (void)context;
  if (actions & UNWIND_CLEANUP_PHASE) VALGRIND_DO_CLIENT_REQUEST_STMT(CDR_REQ_HEAP_UNWOUND, 0, 0, 0, 0, 0);
  return UNWIND_CONTINUE;
}

/* A product that does not fit cannot be allocated either; the original says so. */
ALWAYS_INLINE Word product(Word a, Word b) {
  Word bytes;
  return __builtin_mul_overflow(a, b, &bytes) ? ~0UL : bytes;
}

ALWAYS_INLINE Word whole_pages(Word size) { return (size + 4095) & ~4095UL; }

/* Names in the C library, in any library or program that brings its own allocator (`somalloc' is Valgrind's
 * name for those, see --soname-synonyms), and in the program itself. */
#define C_NAMES(wrapper, function)             \
  NAME_ZU(wrapper, libcZdsoZa, function);      \
  NAME_ZU(wrapper, VgSoSynsomalloc, function); \
  NAME_ZU(wrapper, NONE, function)
#define CXX_NAMES(wrapper, function)           \
  NAME_ZU(wrapper, libstdcZpZpZa, function);   \
  NAME_ZU(wrapper, VgSoSynsomalloc, function); \
  NAME_ZU(wrapper, NONE, function)

/* ALLOCATE(names, function, parameters, size, the call) */
#define ALLOCATE(NAMES, function, parameters, size, call) \
  static Word wrap_##function parameters {                \
    OrigFn fn = original();                               \
    Word r;                                               \
    UNWOUND_BY(cdr_heap_unwound);                         \
    enter(CDR_HEAP_ALLOC, 0, size);                       \
    call;                                                 \
    leave(CDR_HEAP_ALLOC, r, 0, size);                    \
    return r;                                             \
  }                                                       \
  NAMES(wrap_##function, function)

ALLOCATE(C_NAMES, malloc, (Word n), n, CALL_FN_W_W(r, fn, n));
ALLOCATE(C_NAMES, valloc, (Word n), n, CALL_FN_W_W(r, fn, n));
ALLOCATE(C_NAMES, pvalloc, (Word n), whole_pages(n), CALL_FN_W_W(r, fn, n));
ALLOCATE(C_NAMES, calloc, (Word count, Word each), product(count, each), CALL_FN_W_WW(r, fn, count, each));
ALLOCATE(C_NAMES, memalign, (Word alignment, Word n), n, CALL_FN_W_WW(r, fn, alignment, n));
C_NAMES(wrap_memalign, aligned_alloc);

/* operator new: the size, then an alignment, std::nothrow, both or nothing. */
#define NEW_1(function) ALLOCATE(CXX_NAMES, function, (Word n), n, CALL_FN_W_W(r, fn, n))
#define NEW_2(function) ALLOCATE(CXX_NAMES, function, (Word n, Word b), n, CALL_FN_W_WW(r, fn, n, b))
#define NEW_3(function) ALLOCATE(CXX_NAMES, function, (Word n, Word b, Word c), n, CALL_FN_W_WWW(r, fn, n, b, c))
NEW_1(_Znwm);
NEW_1(_Znam);
NEW_2(_ZnwmRKSt9nothrow_t);
NEW_2(_ZnamRKSt9nothrow_t);
NEW_2(_ZnwmSt11align_val_t);
NEW_2(_ZnamSt11align_val_t);
NEW_3(_ZnwmSt11align_val_tRKSt9nothrow_t);
NEW_3(_ZnamSt11align_val_tRKSt9nothrow_t);

/* Freeing nothing is no event, nor is what it calls. */
#define FREE(NAMES, function, parameters, call) \
  static void wrap_##function parameters {      \
    OrigFn fn = original();                     \
    UNWOUND_BY(cdr_heap_unwound);               \
    if (!block) return;                         \
    enter(CDR_HEAP_FREE, block, 0);             \
    call;                                       \
    leave(CDR_HEAP_FREE, 0, block, 0);          \
  }                                             \
  NAMES(wrap_##function, function)

FREE(C_NAMES, free, (Word block), CALL_FN_v_W(fn, block));
C_NAMES(wrap_free, cfree);

/* operator delete: the block, then a size, an alignment, std::nothrow. */
#define DELETE_1(function) FREE(CXX_NAMES, function, (Word block), CALL_FN_v_W(fn, block))
#define DELETE_2(function) FREE(CXX_NAMES, function, (Word block, Word b), CALL_FN_v_WW(fn, block, b))
#define DELETE_3(function) FREE(CXX_NAMES, function, (Word block, Word b, Word c), CALL_FN_v_WWW(fn, block, b, c))
DELETE_1(_ZdlPv);
DELETE_1(_ZdaPv);
DELETE_2(_ZdlPvm);
DELETE_2(_ZdaPvm);
DELETE_2(_ZdlPvRKSt9nothrow_t);
DELETE_2(_ZdaPvRKSt9nothrow_t);
DELETE_2(_ZdlPvSt11align_val_t);
DELETE_2(_ZdaPvSt11align_val_t);
DELETE_3(_ZdlPvmSt11align_val_t);
DELETE_3(_ZdaPvmSt11align_val_t);
DELETE_3(_ZdlPvSt11align_val_tRKSt9nothrow_t);
DELETE_3(_ZdaPvSt11align_val_tRKSt9nothrow_t);

/* Of no block it is malloc, and said to be. */
ALWAYS_INLINE Word kind_of_realloc(Word block) { return block ? CDR_HEAP_REALLOC : CDR_HEAP_ALLOC; }

#define REALLOCATE(function, parameters, size, call) \
  static Word wrap_##function parameters {           \
    OrigFn fn = original();                          \
    Word r;                                          \
    UNWOUND_BY(cdr_heap_unwound);                    \
    enter(kind_of_realloc(block), block, size);      \
    call;                                            \
    leave(kind_of_realloc(block), r, block, size);   \
    return r;                                        \
  }                                                  \
  C_NAMES(wrap_##function, function)

REALLOCATE(realloc, (Word block, Word n), n, CALL_FN_W_WW(r, fn, block, n));
REALLOCATE(reallocarray, (Word block, Word count, Word each), product(count, each),
           CALL_FN_W_WWW(r, fn, block, count, each));

/* Gives the block through its first argument. */
static int wrap_posix_memalign(Word* block, Word alignment, Word n) {
  OrigFn fn = original();
  Word r;
  UNWOUND_BY(cdr_heap_unwound);
  enter(CDR_HEAP_ALLOC, 0, n);
  CALL_FN_W_WWW(r, fn, block, alignment, n);
  leave(CDR_HEAP_ALLOC, (int)r == 0 ? *block : 0, 0, n);
  return (int)r;
}
C_NAMES(wrap_posix_memalign, posix_memalign);
