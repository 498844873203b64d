// SPDX-License-Identifier: GPL-2.0-or-later
// Functions of the C library that look for something in strings, each beside a thread that stores to bytes that it does
// not read (`beside`), or to the first or last that it reads (`first`, `last`). Bytes below are those that the C
// standard has it read or write of `s`, which is "abcdef", or of `w`, which is L"abc", from the first to behind the
// last. At every distance from a multiple of 32, and before the end of a page.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

enum { kPlaces = 40, kRoom = 256, kPage = 4096, kMost = 64 };

struct Case {
  void (*call)(char* s);
  int begin, end, wide;
};

static volatile long sink;
static char out[kRoom];
static wchar_t wide_out[kRoom];

#define CASES_OF(name, begin, end, wide)                                                      \
  static void name(char*);                                                                    \
  static const struct Case name##_entry __attribute__((section("cases"), used, aligned(8))) = { \
      name, begin, end, wide};
#define CALL(name, begin, end, what) CASES_OF(name, begin, end, 0) static void name(char* s) { sink += (long)(what); }
#define WIDE(name, begin, end, what) \
  CASES_OF(name, begin, end, 1) static void name(char* p) { const wchar_t* w = (wchar_t*)p; sink += (long)(what); }

static char* empty(void) { out[0] = 0; return out; }

CALL(length, 0, 7, strlen(s))
CALL(length_within, 0, 4, strnlen(s, 4))
CALL(length_within_more, 0, 7, strnlen(s, 40))
CALL(compare, 0, 7, strcmp(s, "abcdef"))
CALL(compare_other, 0, 3, strcmp(s, "abX"))
CALL(compare_with, 0, 7, strcmp("abcdef", s))
CALL(compare_within, 0, 4, strncmp(s, "abcdefgh", 4))
CALL(compare_within_more, 0, 7, strncmp("abcdef", s, 99))
CALL(compare_case, 0, 7, strcasecmp(s, "ABCDEF"))
CALL(compare_case_within, 0, 3, strncasecmp(s, "ABCDEF", 3))
CALL(find, 0, 3, strchr(s, 'c'))
CALL(find_none, 0, 7, strchr(s, 'z'))
CALL(find_or_end, 0, 7, strchrnul(s, 'z'))
CALL(find_last, 0, 7, strrchr(s, 'b'))
CALL(memory_find, 0, 4, memchr(s, 'd', 40))
CALL(memory_find_none, 0, 5, memchr(s, 'z', 5))
CALL(memory_find_surely, 0, 4, rawmemchr(s, 'd'))
CALL(memory_find_last, 2, 6, memrchr(s, 'c', 6))
CALL(memory_compare, 0, 6, memcmp(s, "abcdef", 6))
CALL(memory_compare_other, 0, 3, memcmp("abX", s, 3))
CALL(copy, 0, 7, strcpy(out, s))
CALL(copy_to_end, 0, 7, stpcpy(out, s))
CALL(copy_within, 0, 3, strncpy(out, s, 3))
CALL(copy_within_more, 0, 7, strncpy(out, s, 20))
CALL(append, 0, 7, strcat(empty(), s))
CALL(append_within, 0, 2, strncat(empty(), s, 2))
CALL(span, 0, 4, strspn(s, "abc"))
CALL(span_without, 0, 5, strcspn(s, "e"))
CALL(find_any, 0, 4, strpbrk(s, "ed"))
CALL(find_string, 0, 4, strstr(s, "cd"))
CALL(find_string_none, 0, 7, strstr(s, "zz"))
CALL(find_this_string, 0, 7, strstr("xxabcdefx", s))
CALL(formatted, 0, 7, snprintf(out, sizeof out, "%s", s))
CALL(copied_here, 0, 7, strcpy(s, "abcdef"))
CALL(copied_here_to_end, 2, 7, stpcpy(s + 2, "cdef"))
CALL(copied_here_within, 0, 6, strncpy(s, "abcdefg", 6))
CALL(appended_here, 0, 7, strcat(s, ""))
WIDE(wide_length, 0, 16, wcslen(w))
WIDE(wide_length_within, 0, 8, wcsnlen(w, 2))
WIDE(wide_compare, 0, 16, wcscmp(w, L"abc"))
WIDE(wide_compare_within, 0, 8, wcsncmp(L"abcd", w, 2))
WIDE(wide_find, 0, 8, wcschr(w, L'b'))
WIDE(wide_find_last, 0, 16, wcsrchr(w, L'a'))
WIDE(wide_memory_find, 0, 8, wmemchr(w, L'b', 3))
WIDE(wide_memory_compare, 0, 12, wmemcmp(w, L"abX", 3))
WIDE(wide_copy, 0, 16, wcscpy(wide_out, w))

extern const struct Case __start_cases[], __stop_cases[];
static char memory[kMost][kPlaces][kRoom] __attribute__((aligned(32)));
static char pages[kMost][2 * kPage] __attribute__((aligned(4096)));

// The place before the end of a page is the last one.
static char* place(const struct Case* c, int k) {
  const long number = c - __start_cases;
  if (k == kPlaces - 1) return pages[number] + kPage - c->end;
  return memory[number][k] + 64 + (c->wide ? 4 * k : k);
}

static void* call(void* unused) {
  for (const struct Case* c = __start_cases; c != __stop_cases; ++c)
    for (int k = 0; k < kPlaces; ++k) c->call(place(c, k));
  return unused;
}

static void store(volatile char* p) { *p = *p; }

static void* store_all(void* side) {
  for (const struct Case* c = __start_cases; c != __stop_cases; ++c)
    for (int k = 0; k < kPlaces; ++k) {
      char* const s = place(c, k);
      if (!strcmp(side, "first")) store(s + c->begin);
      if (!strcmp(side, "last")) store(s + c->end - 1);
      if (!strcmp(side, "beside")) store(s + c->begin - 1), store(s + c->end);
    }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 2 || __stop_cases - __start_cases > kMost) return 2;
  memset(memory, 'x', sizeof memory);
  memset(pages, 'x', sizeof pages);
  for (const struct Case* c = __start_cases; c != __stop_cases; ++c)
    for (int k = 0; k < kPlaces; ++k)
      if (c->wide)
        memcpy(place(c, k), L"abc", 16);
      else
        memcpy(place(c, k), "abcdef", 7);
  pthread_t reader, writer;
  pthread_create(&reader, 0, call, 0);
  pthread_create(&writer, 0, store_all, argv[1]);
  pthread_join(reader, 0);
  pthread_join(writer, 0);
  printf("%d\n", (int)(__stop_cases - __start_cases));
  return 0;
}
