/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every wrapper is made of. A wrapper is one function under several names; Valgrind finds it by its
 * name, which spells the soname and the function wrapped, and sends every call of that function to it. The
 * original is called through CALL_FN_*, which is not redirected; what the original calls is.
 *
 * Invariant: between the requests *enter* and *leave* stands nothing but that call, and a wrapper never
 * leaves by a tail call. So its frame is on the stack while the operation is under way. */
#ifndef CDRGRIND_PRELOAD_WRAP_H
#define CDRGRIND_PRELOAD_WRAP_H

#include <valgrind/valgrind.h>

#include "cdrgrind/base/requests.h"

/* An argument or result in a register. The wrappers pass arguments on as they come: whether one is a pointer
 * or an int does not matter to them. */
typedef unsigned long Word;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* An original and whether it has an argument; filled first thing in a wrapper, before any other call. */
ALWAYS_INLINE OrigFn original(void) {
  OrigFn fn;
  VALGRIND_GET_ORIG_FN(fn);
  return fn;
}

/* Gives `wrapper` the name under which Valgrind finds it, in Z-encoding (ZZ) or with the function's name as
 * it is (ZU). Names of one function are aliases: when several match, the redirections agree. */
#define NAME_ZZ(wrapper, soname, function)                             \
  extern __typeof__(wrapper) I_WRAP_SONAME_FNNAME_ZZ(soname, function) \
      __attribute__((alias(#wrapper), visibility("default")))
#define NAME_ZU(wrapper, soname, function)                             \
  extern __typeof__(wrapper) I_WRAP_SONAME_FNNAME_ZU(soname, function) \
      __attribute__((alias(#wrapper), visibility("default")))

/* Sets the personality routine of the function it stands in: the unwinder calls it when an exception, a
 * cancellation or the thread's exit leaves the function. A cleanup attribute would not do: for the compiler
 * CALL_FN_* is no call, so it would make no landing pad; and it would tie every program to libgcc_s. */
#define UNWOUND_BY(personality) __asm__ volatile(".cfi_personality 0x1b, " #personality)

/* Of the C++ ABI for exception handling, level 1. */
enum { UNWIND_CLEANUP_PHASE = 2, UNWIND_CONTINUE = 8 };

#endif
