// SPDX-License-Identifier: GPL-2.0-or-later
// The C library's functions on strings and memory, called with drawn arguments, some of them at the end of what is
// mapped: prints what they returned and wrote, as a checksum each. Of functions that compare only the sign is defined.
#define _GNU_SOURCE
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <wchar.h>

enum { kRounds = 3000, kRoom = 1024, kPage = 4096 };

static uint64_t state = 88172645463325252u;
static unsigned drawn(unsigned below) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 20) % below;
}

static uint64_t sum;
static void note(uint64_t value) { sum = (sum ^ value) * 0x9e3779b97f4a7c15u, sum ^= sum >> 29; }
static void note_sign(long value) { note((uint64_t)((value > 0) - (value < 0) + 2)); }
static void note_place(const void* p, const void* from) { note(p ? (uint64_t)((const char*)p - (const char*)from) : ~0u); }
static void note_text(const char* s, size_t n) {
  for (size_t i = 0; i < n; ++i) note((unsigned char)s[i]);
}

// Memory behind which nothing is mapped.
static char* last_page(void) {
  char* const p = mmap(0, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + 2 * kPage, kPage, PROT_NONE) || mprotect(p, kPage, PROT_NONE)) exit(1);
  return p + 2 * kPage;
}

static locale_t plain;
static char *end_a, *end_b;
static char room_a[kRoom], room_b[kRoom], to[2 * kRoom];

// A string of few different letters, of either case and beyond ASCII; up to its 0 at the end of a page, at its
// beginning, or anywhere.
static char* string(char* room, char* end, unsigned longest) {
  const unsigned n = drawn(longest);
  const unsigned where = drawn(3);
  char* const s = where == 0 ? end - n - 1 : where == 1 ? end - kPage : room + drawn(64);
  for (unsigned i = 0; i < n; ++i) s[i] = "abABc\x80\xff."[drawn(drawn(4) ? 2 : 8)];
  s[n] = 0;
  return s;
}
static wchar_t* wide_string(char* room, char* end, unsigned longest) {
  const unsigned n = drawn(longest);
  const unsigned where = drawn(3);
  wchar_t* const s = (wchar_t*)(where == 0 ? end - 4 * n - 4 : where == 1 ? end - kPage : room + 4 * drawn(16));
  for (unsigned i = 0; i < n; ++i) s[i] = drawn(4) ? (wchar_t)(L'a' + drawn(2)) : drawn(2) ? -1 : 0x12345;
  s[n] = 0;
  return s;
}

static void bytes(void) {
  char* const a = string(room_a, end_a, 90);
  char* const b = string(room_b, end_b, drawn(3) ? 4 : 90);
  if (drawn(3) == 0) {  // alike, at first
    const size_t n = strlen(b);
    memcpy(b, a, n < strlen(a) ? n : strlen(a));
  }
  const size_t la = strlen(a), lb = strlen(b), n = drawn(120), both = (la < lb ? la : lb) + 1;
  const int c = "abAc\x80z"[drawn(6)], at_most = (int)drawn((unsigned)la + 2);
  note(la), note(strnlen(a, n)), note(strnlen(a, ~0ul));
  note_sign(strcmp(a, b)), note_sign(strncmp(a, b, n)), note_sign(memcmp(a, b, drawn((unsigned)both + 1)));
  note_sign(strcasecmp(a, b)), note_sign(strncasecmp(a, b, n)), note_sign(bcmp(a, b, both) != 0);
  note_sign(strcasecmp_l(a, b, plain)), note_sign(strncasecmp_l(a, b, n, plain));
  note_place(strchr(a, c), a), note_place(strchr(a, 0), a), note_place(strrchr(a, c), a);
  note_place(strchrnul(a, c), a), note_place(memchr(a, c, (size_t)at_most), a);
  note_place(memrchr(a, c, (size_t)at_most), a), note_place(rawmemchr(a, 0), a), note_place(index(a, c), a);
  note(strspn(a, b)), note(strcspn(a, b)), note_place(strpbrk(a, b), a), note_place(strstr(a, b), a);
  memset(to, 'q', sizeof to);
  note_place(strcpy(to + 1, a), to), note_text(to, la + 9);
  note_place(stpcpy(to + 3, b), to), note_text(to, la + 9);
  note_place(strncpy(to + 2, a, n), to), note_text(to, n + 9);
  note_place(stpncpy(to + 5, b, n), to), note_text(to, n + 9);
  strcpy(to, b);
  note_place(strcat(to, a), to), note_text(to, la + lb + 9);
  note_place(strncat(to, a, n), to), note_text(to, 2 * la + lb + 9);
  char* const again = strdup(a);
  note_text(again, la + 1), free(again);
}

static void wide(void) {
  wchar_t* const a = wide_string(room_a, end_a, 40);
  wchar_t* const b = wide_string(room_b, end_b, drawn(2) ? 3 : 40);
  const size_t la = wcslen(a), lb = wcslen(b), n = drawn(50), both = (la < lb ? la : lb) + 1;
  const wchar_t c = drawn(3) ? L'a' + (wchar_t)drawn(3) : -1;
  note(la), note(wcsnlen(a, n)), note_sign(wcscmp(a, b)), note_sign(wcsncmp(a, b, n));
  note_place(wcschr(a, c), a), note_place(wcsrchr(a, c), a), note_place(wmemchr(a, c, drawn((unsigned)la + 2)), a);
  note_sign(wmemcmp(a, b, drawn((unsigned)both + 1)));
  wchar_t* const wide_to = (wchar_t*)(void*)to;
  note_place(wcscpy(wide_to, a), to), note_text(to, 4 * la + 4);
}

int main(int argc, char** argv) {
  if (argc > 1 && !setlocale(LC_ALL, argv[1])) return 2;
  plain = newlocale(LC_ALL_MASK, "C", 0);
  end_a = last_page(), end_b = last_page();
  for (int i = 0; i < kRounds; ++i) {
    bytes();
    wide();
    if (i % 100 == 99) printf("%016llx\n", (unsigned long long)sum);
  }
  return 0;
}
