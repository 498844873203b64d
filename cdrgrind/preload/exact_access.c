/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cdrgrind/preload/exact_access.h"

/* Each way through a function has its own end: a jump to a common one would be recorded. */
#pragma GCC optimize("no-crossjumping")

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
ALWAYS_INLINE Word read_bytes(const unsigned char* a, const unsigned char* b, Word bytes, Word result, int both) {
  if (!LIKELY(bytes < 16)) return result + nothing_of(read_wide(a, b, bytes, both));
  if (!LIKELY(bytes < 8)) return result + nothing_of(READ_ENDS(Eight, a) | (both ? READ_ENDS(Eight, b) : 0));
  if (!LIKELY(bytes < 4)) return result + nothing_of(READ_ENDS(Four, a) | (both ? READ_ENDS(Four, b) : 0));
  if (!LIKELY(bytes < 2)) return result + nothing_of(READ_ENDS(Two, a) | (both ? READ_ENDS(Two, b) : 0));
  if (bytes == 0) return result;
  return result + nothing_of(READ(unsigned char, a) | (Word)(both ? READ(unsigned char, b) : 0));
}

Word cdr_exact_read(const unsigned char* from, Word bytes, Word result) {
  return read_bytes(from, 0, bytes, result, 0);
}

Word cdr_exact_read_both(const unsigned char* a, const unsigned char* b, Word bytes, Word result) {
  return read_bytes(a, b, bytes, result, 1);
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

Word cdr_exact_copy(unsigned char* to, const unsigned char* from, Word bytes, Word result) {
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

Word cdr_exact_zero(unsigned char* to, Word bytes, Word result) {
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
