/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The C library's functions that look for something in strings and memory read whole vectors: beside a string, too,
 * what belongs to somebody else. For races and dependences that would be accesses of the program. So they are replaced,
 * as memcheck, helgrind and drd do, by functions that say exactly which bytes the C standard has them read: up to what
 * they look for, and not beyond. What they read besides, for they are no slower than they need be, is not recorded
 * (exact_access.h).
 *
 * They return what the C library's return, strcmp and its like the difference of the first bytes that differ. */
#include <ctype.h>
#include <emmintrin.h>
#include <locale.h>
#include <stddef.h>

#include "cdrgrind/preload/exact_access.h"

/* A frame for each access would be too many. */
#pragma GCC optimize("optimize-sibling-calls")

typedef unsigned char Byte;
typedef Word (*ExactReadOfBoth)(const Byte* a, const Byte* b, Word bytes, Word result);

/* Gives a function the name under which Valgrind has it take the place of another. */
#define REPLACE(soname, function, by) \
  extern __typeof__(by) _vgr00000ZU_##soname##_##function __attribute__((alias(#by), visibility("default")))
#define OF_C(function, by) REPLACE(libcZdsoZa, function, by)
#define OF_GLIBC(function, by) REPLACE(libcZdsoZd6, function, by)

enum { kWide = 16, kPage = 4096 };
static const Word kNoEnd = ~0UL;

ALWAYS_INLINE Word least(Word a, Word b) { return a < b ? a : b; }
/* Of a search among n things that ended at `found`: how many were looked at. */
ALWAYS_INLINE Word looked_at(Word found, Word n) { return found < n ? found + 1 : n; }

/* --- what is not recorded --- */

/* The index of the first byte that is a or b; n if there is none before. Wide loads do not leave the page. */
ALWAYS_INLINE Word find(const Byte* s, Byte a, Byte b, Word n) {
  const __m128i as = _mm_set1_epi8((char)a), bs = _mm_set1_epi8((char)b);
  const Word before = (Word)s % kWide;
  Word at = 0;
  const __m128i* p = (const __m128i*)(s - before);
  for (unsigned keep = 0xffffU << before; at < n; keep = 0xffffU, ++p) {
    const __m128i w = _mm_load_si128(p);
    const unsigned hits =
        (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(w, as), _mm_cmpeq_epi8(w, bs))) & keep;
    if (LIKELY(hits)) return least((Word)((const Byte*)p - s) + (Word)__builtin_ctz(hits), n);
    at = (Word)((const Byte*)(p + 1) - s);
  }
  return n;
}

/* The index of the last of n bytes that is c; n if there is none. */
static Word find_last(const Byte* s, Byte c, Word n) {
  for (Word i = n; i > 0; --i)
    if (s[i - 1] == c) return i - 1;
  return n;
}

/* A wide load there. */
ALWAYS_INLINE int leaves_page(const Byte* s) { return (Word)s % kPage > kPage - kWide; }

/* How many of n bytes are alike in both; with `strings` no further than a 0 that both have. */
ALWAYS_INLINE Word alike(const Byte* a, const Byte* b, Word n, int strings) {
  Word i = 0;
  while (i < n) {
    if (!LIKELY(!leaves_page(a + i) && !leaves_page(b + i))) {
      if (a[i] != b[i] || (strings && !a[i])) return i;
      ++i;
      continue;
    }
    const __m128i x = _mm_loadu_si128((const __m128i*)(a + i)), y = _mm_loadu_si128((const __m128i*)(b + i));
    unsigned hits = ~(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) & 0xffffU;
    if (strings) hits |= (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_setzero_si128()));
    if (LIKELY(hits)) return least(i + (Word)__builtin_ctz(hits), n);
    if (n - i <= kWide) return n;
    i += kWide;
  }
  return n;
}

/* --- strings and memory --- */

EXACT_READ(strlen)
static Word string_length(const Byte* s) {
  const Word n = find(s, 0, 0, kNoEnd);
  return cdr_exact_strlen(s, n + 1, n);
}
OF_C(strlen, string_length);

EXACT_READ(strnlen)
static Word string_length_within(const Byte* s, Word n) {
  const Word r = find(s, 0, 0, n);
  return cdr_exact_strnlen(s, looked_at(r, n), r);
}
OF_C(strnlen, string_length_within);
OF_C(__strnlen, string_length_within);

EXACT_READ(strchr)
static Word string_find(const Byte* s, int c) {
  const Word n = find(s, 0, (Byte)c, kNoEnd);
  return cdr_exact_strchr(s, n + 1, s[n] == (Byte)c ? (Word)(s + n) : 0);
}
OF_C(strchr, string_find);
OF_C(index, string_find);

EXACT_READ(strchrnul)
static Word string_find_or_end(const Byte* s, int c) {
  const Word n = find(s, 0, (Byte)c, kNoEnd);
  return cdr_exact_strchrnul(s, n + 1, (Word)(s + n));
}
OF_C(strchrnul, string_find_or_end);
OF_C(__strchrnul, string_find_or_end);

EXACT_READ(strrchr)
static Word string_find_last(const Byte* s, int c) {
  const Word n = find(s, 0, 0, kNoEnd), at = find_last(s, (Byte)c, n + 1);
  return cdr_exact_strrchr(s, n + 1, at <= n ? (Word)(s + at) : 0);
}
OF_C(strrchr, string_find_last);
OF_C(rindex, string_find_last);

EXACT_READ(memchr)
static Word memory_find(const Byte* s, int c, Word n) {
  const Word at = find(s, (Byte)c, (Byte)c, n);
  return cdr_exact_memchr(s, looked_at(at, n), at < n ? (Word)(s + at) : 0);
}
OF_C(memchr, memory_find);

EXACT_READ(rawmemchr)
static Word memory_find_surely(const Byte* s, int c) {
  const Word at = find(s, (Byte)c, (Byte)c, kNoEnd);
  return cdr_exact_rawmemchr(s, at + 1, (Word)(s + at));
}
OF_C(rawmemchr, memory_find_surely);
OF_C(__rawmemchr, memory_find_surely);

EXACT_READ(memrchr)
static Word memory_find_last(const Byte* s, int c, Word n) {
  const Word at = find_last(s, (Byte)c, n);
  return at < n ? cdr_exact_memrchr(s + at, n - at, (Word)(s + at)) : cdr_exact_memrchr(s, n, 0);
}
OF_C(memrchr, memory_find_last);
OF_C(__memrchr, memory_find_last);

/* The difference where they differ, at most n bytes. */
ALWAYS_INLINE Word compared(const Byte* a, const Byte* b, Word n, int strings, ExactReadOfBoth exact) {
  const Word at = alike(a, b, n, strings);
  const Word seen = looked_at(at, n);
  const int difference = at < n ? a[at] - b[at] : 0;
  return exact(a, b, seen, (Word)(long)difference);
}

EXACT_READ_OF_BOTH(strcmp)
static Word string_compare(const Byte* a, const Byte* b) { return compared(a, b, kNoEnd, 1, cdr_exact_strcmp); }
OF_C(strcmp, string_compare);

EXACT_READ_OF_BOTH(strncmp)
static Word string_compare_within(const Byte* a, const Byte* b, Word n) {
  return compared(a, b, n, 1, cdr_exact_strncmp);
}
OF_C(strncmp, string_compare_within);

EXACT_READ_OF_BOTH(memcmp)
static Word memory_compare(const Byte* a, const Byte* b, Word n) { return compared(a, b, n, 0, cdr_exact_memcmp); }
OF_C(memcmp, memory_compare);
OF_C(bcmp, memory_compare);
OF_C(__memcmpeq, memory_compare);

/* In the table of a locale. */
ALWAYS_INLINE Word compared_in_case(const Byte* a, const Byte* b, Word n, const int* lower, ExactReadOfBoth exact) {
  Word at = 0;
  while (at < n && a[at] && lower[a[at]] == lower[b[at]]) ++at;
  const Word seen = looked_at(at, n);
  const int difference = at < n ? lower[a[at]] - lower[b[at]] : 0;
  return exact(a, b, seen, (Word)(long)difference);
}

EXACT_READ_OF_BOTH(strcasecmp)
static Word case_compare(const Byte* a, const Byte* b) {
  return compared_in_case(a, b, kNoEnd, *__ctype_tolower_loc(), cdr_exact_strcasecmp);
}
OF_GLIBC(strcasecmp, case_compare);
OF_GLIBC(__strcasecmp, case_compare);

EXACT_READ_OF_BOTH(strncasecmp)
static Word case_compare_within(const Byte* a, const Byte* b, Word n) {
  return compared_in_case(a, b, n, *__ctype_tolower_loc(), cdr_exact_strncasecmp);
}
OF_GLIBC(strncasecmp, case_compare_within);

EXACT_READ_OF_BOTH(strcasecmp_l)
static Word case_compare_in(const Byte* a, const Byte* b, locale_t locale) {
  return compared_in_case(a, b, kNoEnd, locale->__ctype_tolower, cdr_exact_strcasecmp_l);
}
OF_GLIBC(strcasecmp_l, case_compare_in);
OF_GLIBC(__strcasecmp_l, case_compare_in);

EXACT_READ_OF_BOTH(strncasecmp_l)
static Word case_compare_within_in(const Byte* a, const Byte* b, Word n, locale_t locale) {
  return compared_in_case(a, b, n, locale->__ctype_tolower, cdr_exact_strncasecmp_l);
}
OF_GLIBC(strncasecmp_l, case_compare_within_in);
OF_GLIBC(__strncasecmp_l, case_compare_within_in);

/* --- copies --- */

EXACT_COPY(strcpy)
static Word string_copy(Byte* to, const Byte* from) {
  return cdr_exact_strcpy(to, from, find(from, 0, 0, kNoEnd) + 1, (Word)to);
}
OF_C(strcpy, string_copy);

EXACT_COPY(stpcpy)
static Word string_copy_to_end(Byte* to, const Byte* from) {
  const Word n = find(from, 0, 0, kNoEnd);
  return cdr_exact_stpcpy(to, from, n + 1, (Word)(to + n));
}
OF_C(stpcpy, string_copy_to_end);
OF_C(__stpcpy, string_copy_to_end);

/* The rest of n bytes becomes 0. */
/* The rest of n bytes becomes 0. */
EXACT_COPY_AND_CLEAR(strncpy)
static Word string_copy_within(Byte* to, const Byte* from, Word n) {
  const Word copied = looked_at(find(from, 0, 0, n), n);
  return cdr_exact_strncpy(to, from, copied, n - copied, (Word)to);
}
OF_C(strncpy, string_copy_within);

EXACT_COPY_AND_CLEAR(stpncpy)
static Word string_copy_within_to_end(Byte* to, const Byte* from, Word n) {
  const Word length = find(from, 0, 0, n), copied = looked_at(length, n);
  return cdr_exact_stpncpy(to, from, copied, n - copied, (Word)(to + length));
}
OF_C(stpncpy, string_copy_within_to_end);
OF_C(__stpncpy, string_copy_within_to_end);

EXACT_APPEND(strcat)
static Word string_append(Byte* to, const Byte* from) {
  return cdr_exact_strcat(to, find(to, 0, 0, kNoEnd), from, find(from, 0, 0, kNoEnd) + 1, 0, (Word)to);
}
OF_C(strcat, string_append);

EXACT_APPEND(strncat)
static Word string_append_within(Byte* to, const Byte* from, Word n) {
  const Word end = find(to, 0, 0, kNoEnd), length = find(from, 0, 0, n);
  return cdr_exact_strncat(to, end, from, looked_at(length, n), length < n ? 0 : 1, (Word)to);
}
OF_C(strncat, string_append_within);

/* --- sets of bytes, strings in strings --- */

/* The index of the first byte that is in the set, or, if `inside`, is not, or of the end. */
static Word string_span(const Byte* s, const Byte* set, Word members, int inside) {
  if (!inside && members <= 1) return find(s, 0, set[0], kNoEnd);
  Word in[4] = {!inside, 0, 0, 0}; /* a bit for each byte */
  for (Word m = 0; m < members; ++m) in[set[m] / 64] |= 1UL << set[m] % 64;
  Word i = 0;
  while ((in[s[i] / 64] >> s[i] % 64 & 1) == (Word)inside) ++i;
  return i;
}

EXACT_READ_OF_TWO(strspn)
static Word string_span_of(const Byte* s, const Byte* set) {
  const Word members = find(set, 0, 0, kNoEnd), n = string_span(s, set, members, 1);
  return cdr_exact_strspn(s, n + 1, set, members + 1, n);
}
OF_C(strspn, string_span_of);

EXACT_READ_OF_TWO(strcspn)
static Word string_span_without(const Byte* s, const Byte* set) {
  const Word members = find(set, 0, 0, kNoEnd), n = string_span(s, set, members, 0);
  return cdr_exact_strcspn(s, n + 1, set, members + 1, n);
}
OF_C(strcspn, string_span_without);

EXACT_READ_OF_TWO(strpbrk)
static Word string_find_any(const Byte* s, const Byte* set) {
  const Word members = find(set, 0, 0, kNoEnd), n = string_span(s, set, members, 0);
  return cdr_exact_strpbrk(s, n + 1, set, members + 1, s[n] ? (Word)(s + n) : 0);
}
OF_C(strpbrk, string_find_any);

EXACT_READ_OF_TWO(strstr)
static Word string_find_string(const Byte* s, const Byte* part) {
  const Word length = find(part, 0, 0, kNoEnd);
  Word at = 0;
  int found = length == 0;
  while (!found) {
    at += find(s + at, 0, part[0], kNoEnd);
    if (!s[at]) break;
    found = alike(s + at, part, length, 1) == length;
    at += !found;
  }
  const Word looked = found ? at + length : at + 1;
  return cdr_exact_strstr(s, looked, part, length + 1, found ? (Word)(s + at) : 0);
}
OF_C(strstr, string_find_string);

/* --- wide characters: their numbers where bytes have theirs --- */

#define WIDE_READ(name, s, count, result) cdr_exact_##name((const Byte*)(s), (count) * sizeof *(s), result)

static Word wide_find(const wchar_t* s, wchar_t a, wchar_t b, Word n) {
  Word i = 0;
  while (i < n && s[i] != a && s[i] != b) ++i;
  return i;
}

EXACT_READ(wcslen)
static Word wide_length(const wchar_t* s) {
  const Word n = wide_find(s, 0, 0, kNoEnd);
  return WIDE_READ(wcslen, s, n + 1, n);
}
OF_C(wcslen, wide_length);

EXACT_READ(wcsnlen)
static Word wide_length_within(const wchar_t* s, Word n) {
  const Word r = wide_find(s, 0, 0, n);
  return WIDE_READ(wcsnlen, s, looked_at(r, n), r);
}
OF_C(wcsnlen, wide_length_within);
OF_C(__wcsnlen, wide_length_within);

EXACT_READ(wcschr)
static Word wide_find_character(const wchar_t* s, wchar_t c) {
  const Word n = wide_find(s, 0, c, kNoEnd);
  return WIDE_READ(wcschr, s, n + 1, s[n] == c ? (Word)(s + n) : 0);
}
OF_C(wcschr, wide_find_character);

EXACT_READ(wcsrchr)
static Word wide_find_last(const wchar_t* s, wchar_t c) {
  const Word n = wide_find(s, 0, 0, kNoEnd);
  Word result = 0;
  for (Word i = n + 1; i > 0 && !result; --i)
    if (s[i - 1] == c) result = (Word)(s + i - 1);
  return WIDE_READ(wcsrchr, s, n + 1, result);
}
OF_C(wcsrchr, wide_find_last);

EXACT_READ(wmemchr)
static Word wide_memory_find(const wchar_t* s, wchar_t c, Word n) {
  const Word at = wide_find(s, c, c, n);
  return WIDE_READ(wmemchr, s, looked_at(at, n), at < n ? (Word)(s + at) : 0);
}
OF_C(wmemchr, wide_memory_find);

ALWAYS_INLINE Word wide_compared(const wchar_t* a, const wchar_t* b, Word n, int strings, ExactReadOfBoth exact) {
  Word at = 0;
  while (at < n && a[at] == b[at] && !(strings && !a[at])) ++at;
  const Word seen = looked_at(at, n);
  const long order = at < n ? (a[at] > b[at]) - (a[at] < b[at]) : 0;
  return exact((const Byte*)a, (const Byte*)b, seen * sizeof *a, (Word)order);
}

EXACT_READ_OF_BOTH(wcscmp)
static Word wide_compare(const wchar_t* a, const wchar_t* b) {
  return wide_compared(a, b, kNoEnd, 1, cdr_exact_wcscmp);
}
OF_C(wcscmp, wide_compare);

EXACT_READ_OF_BOTH(wcsncmp)
static Word wide_compare_within(const wchar_t* a, const wchar_t* b, Word n) {
  return wide_compared(a, b, n, 1, cdr_exact_wcsncmp);
}
OF_C(wcsncmp, wide_compare_within);

EXACT_READ_OF_BOTH(wmemcmp)
static Word wide_memory_compare(const wchar_t* a, const wchar_t* b, Word n) {
  return wide_compared(a, b, n, 0, cdr_exact_wmemcmp);
}
OF_C(wmemcmp, wide_memory_compare);

EXACT_COPY(wcscpy)
static Word wide_copy(wchar_t* to, const wchar_t* from) {
  const Word n = wide_find(from, 0, 0, kNoEnd);
  return cdr_exact_wcscpy((Byte*)to, (const Byte*)from, (n + 1) * sizeof *to, (Word)to);
}
OF_C(wcscpy, wide_copy);
