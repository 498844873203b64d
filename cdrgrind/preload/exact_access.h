/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Accesses that are recorded, in the preload, whose code else is recorded without: of exactly the bytes given. The
 * recorder knows these functions by the beginning of their names. Each hands on `result`, to which, as the data flow
 * of its code has it, what was read goes. */
#ifndef CDRGRIND_PRELOAD_EXACT_ACCESS_H
#define CDRGRIND_PRELOAD_EXACT_ACCESS_H

#include "cdrgrind/preload/wrap.h"

/* Most strings are short. */
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

#define EXACT_ACCESS __attribute__((noinline, visibility("hidden")))

EXACT_ACCESS Word cdr_exact_read(const unsigned char* from, Word bytes, Word result);
EXACT_ACCESS Word cdr_exact_read_both(const unsigned char* a, const unsigned char* b, Word bytes, Word result);
/* Also where the two overlap. */
EXACT_ACCESS Word cdr_exact_copy(unsigned char* to, const unsigned char* from, Word bytes, Word result);
EXACT_ACCESS Word cdr_exact_zero(unsigned char* to, Word bytes, Word result);

#endif
