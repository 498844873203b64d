/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Accesses that are recorded, in the preload, whose code else is recorded without: of exactly the bytes given. They
 * stand in functions whose names begin with cdr_exact_: by that the recorder knows them. Each hands on `result`, to
 * which, as the data flow of its code has it, what was read goes. Every function that has such accesses has one of its
 * own for them: what is known of code, as which memory it touches, is not known of all strings together. */
#ifndef CDRGRIND_PRELOAD_EXACT_ACCESS_H
#define CDRGRIND_PRELOAD_EXACT_ACCESS_H

#include "cdrgrind/preload/wrap.h"

/* Each way through a function has its own end: a jump to a common one would be recorded. */
#pragma GCC optimize("no-crossjumping")

/* Most strings are short. */
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

/* EXACT_…(name) defines cdr_exact_name. It is jumped to: of a frame that a shim's call pushes nothing is known. Its
 * name outlives strip, and nobody can take its place. */
#define EXACT_ACCESS __attribute__((noinline, visibility("protected"))) Word
#define EXACT_READ(name)                                                              \
  EXACT_ACCESS cdr_exact_##name(const unsigned char* from, Word bytes, Word result) { \
    return read_exactly(from, 0, bytes, result, 0);                                   \
  }
/* As much of each. */
#define EXACT_READ_OF_BOTH(name)                                                                           \
  EXACT_ACCESS cdr_exact_##name(const unsigned char* a, const unsigned char* b, Word bytes, Word result) { \
    return read_exactly(a, b, bytes, result, 1);                                                           \
  }
#define EXACT_READ_OF_TWO(name)                                                                                       \
  EXACT_ACCESS cdr_exact_##name(const unsigned char* a, Word bytes, const unsigned char* b, Word of_b, Word result) { \
    return read_exactly(a, 0, bytes, read_exactly(b, 0, of_b, result, 0), 0);                                         \
  }
/* Also where the two overlap. */
#define EXACT_COPY(name)                                                                                 \
  EXACT_ACCESS cdr_exact_##name(unsigned char* to, const unsigned char* from, Word bytes, Word result) { \
    return copy_exactly(to, from, bytes, result);                                                        \
  }
/* And so many bytes behind what was copied become 0. */
#define EXACT_COPY_AND_CLEAR(name)                                                                                   \
  EXACT_ACCESS cdr_exact_##name(unsigned char* to, const unsigned char* from, Word bytes, Word clear, Word result) { \
    return clear_exactly(to + bytes, clear, copy_exactly(to, from, bytes, result));                                  \
  }
/* The same behind a string of `length` bytes, which is read. */
#define EXACT_APPEND(name)                                                                                         \
  EXACT_ACCESS cdr_exact_##name(unsigned char* to, Word length, const unsigned char* from, Word bytes, Word clear, \
                                Word result) {                                                                     \
    result = copy_exactly(to + length, from, bytes, read_exactly(to, 0, length + 1, result, 0));                   \
    return clear_exactly(to + length + bytes, clear, result);                                                      \
  }

typedef long long Wide __attribute__((vector_size(16), aligned(1), may_alias));
typedef unsigned long Eight __attribute__((aligned(1), may_alias));
typedef unsigned int Four __attribute__((aligned(1), may_alias));
typedef unsigned short Two __attribute__((aligned(1), may_alias));

/* 0; the code does not show it. */
ALWAYS_INLINE Word nothing_of(Word read) {
  __asm__("or $1, %0\n\tcmp $1, %0\n\tsbb %0, %0" : "+r"(read) : : "cc");
  return read;
}

#define READ(type, at) (*(const volatile type*)(at))
#define WRITE(type, at) (*(volatile type*)(at))

/* By two that may overlap. */
#define READ_ENDS(type, from) (Word)(READ(type, from) | READ(type, from + bytes - sizeof(type)))

ALWAYS_INLINE Word read_wide(const unsigned char* a, const unsigned char* b, Word bytes, int both) {
  Wide read = READ(Wide, a + bytes - 16);
  if (both) read |= READ(Wide, b + bytes - 16);
  for (Word i = 0; i + 16 < bytes; i += 16) {
    read |= READ(Wide, a + i);
    if (both) read |= READ(Wide, b + i);
  }
  return (Word)(read[0] | read[1]);
}

/* Each size is come to by one jump at most. */
ALWAYS_INLINE Word read_exactly(const unsigned char* a, const unsigned char* b, Word bytes, Word result, int both) {
  if (!LIKELY(bytes < 16)) return result + nothing_of(read_wide(a, b, bytes, both));
  if (!LIKELY(bytes < 8)) return result + nothing_of(READ_ENDS(Eight, a) | (both ? READ_ENDS(Eight, b) : 0));
  if (!LIKELY(bytes < 4)) return result + nothing_of(READ_ENDS(Four, a) | (both ? READ_ENDS(Four, b) : 0));
  if (!LIKELY(bytes < 2)) return result + nothing_of(READ_ENDS(Two, a) | (both ? READ_ENDS(Two, b) : 0));
  if (bytes == 0) return result;
  return result + nothing_of(READ(unsigned char, a) | (Word)(both ? READ(unsigned char, b) : 0));
}

/* Of at least 16 bytes, upwards: what is stored lies below all that is still to be read. */
ALWAYS_INLINE void copy_up(unsigned char* to, const unsigned char* from, Word bytes) {
  const Wide last = READ(Wide, from + bytes - 16);
  for (Word i = 0; i + 16 < bytes; i += 16) {
    const Wide w = READ(Wide, from + i);
    WRITE(Wide, to + i) = w;
  }
  WRITE(Wide, to + bytes - 16) = last;
}

ALWAYS_INLINE void copy_down(unsigned char* to, const unsigned char* from, Word bytes) {
  const Wide first = READ(Wide, from);
  for (Word i = bytes; i > 16; i -= 16) {
    const Wide w = READ(Wide, from + i - 16);
    WRITE(Wide, to + i - 16) = w;
  }
  WRITE(Wide, to) = first;
}

#define COPY_ENDS(type)                                        \
  do {                                                         \
    const type first = READ(type, from);                       \
    const type last = READ(type, from + bytes - sizeof(type)); \
    WRITE(type, to) = first;                                   \
    WRITE(type, to + bytes - sizeof(type)) = last;             \
  } while (0)

ALWAYS_INLINE Word copy_exactly(unsigned char* to, const unsigned char* from, Word bytes, Word result) {
  if (bytes >= 16) {
    if ((Word)to - (Word)from >= bytes)
      copy_up(to, from, bytes);
    else
      copy_down(to, from, bytes);
  } else if (bytes >= 8) {
    COPY_ENDS(Eight);
  } else if (bytes >= 4) {
    COPY_ENDS(Four);
  } else if (bytes >= 2) {
    COPY_ENDS(Two);
  } else if (bytes == 1) {
    WRITE(unsigned char, to) = READ(unsigned char, from);
  }
  return result;
}

ALWAYS_INLINE Word clear_exactly(unsigned char* to, Word bytes, Word result) {
  const Wide zero = {0, 0};
  if (bytes >= 16) {
    for (Word i = 0; i + 16 < bytes; i += 16) WRITE(Wide, to + i) = zero;
    WRITE(Wide, to + bytes - 16) = zero;
  } else if (bytes >= 8) {
    WRITE(Eight, to) = 0;
    WRITE(Eight, to + bytes - 8) = 0;
  } else {
    for (Word i = 0; i < bytes; ++i) WRITE(unsigned char, to + i) = 0;
  }
  return result;
}

#endif
