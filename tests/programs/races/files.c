/* SPDX-License-Identifier: GPL-2.0-or-later
 * The locks of FILEs: what flockfile() protects, what the program itself does to a FILE between that and funlockfile(),
 * beside calls that lock for themselves, and what these do not order. Variables called right_… are in order, those called
 * wrong_… are not: they are used if there is an argument. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/programs/races/order.h"

static int wrong;
#define RACE(variable) ((void)(wrong && ++(variable)))
enum { kTimes = 4 };

typedef void *routine(void *);
static void at_once(routine *first, routine *second, void *with) {
  pthread_t a, b;
  if (pthread_create(&a, 0, first, with) || pthread_create(&b, 0, second, with)) abort();
  pthread_join(a, 0);
  pthread_join(b, 0);
}

static void nap(void) {
  struct timespec time = {0, 1000000};
  nanosleep(&time, 0);
}

/* --- a FILE as a recursive lock --- */

int right_locked[2], wrong_locked, wrong_unlocked;
static FILE *locks[2]; /* in the heap, in libc's data */
static void *counts(void *p) {
  for (int i = 0; i < kTimes; ++i)
    for (int f = 0; f < 2; ++f) {
      while (ftrylockfile(locks[f])) nap();
      flockfile(locks[f]);
      funlockfile(locks[f]);
      ++right_locked[f];
      RACE(wrong_locked); /* now under the one lock, now under the other one */
      funlockfile(locks[f]);
      RACE(wrong_unlocked);
    }
  return p;
}

/* --- putc_unlocked() and its like stand in the program --- */

static void *puts_parts(void *p) {
  FILE *file = p;
  for (int i = 0; i < kTimes; ++i) {
    nap();
    flockfile(file);
    putc_unlocked('a', file);
    putc_unlocked('b', file);
    if (ferror_unlocked(file)) abort();
    funlockfile(file);
  }
  return p;
}
static void *puts_all(void *p) {
  for (int i = 0; i < kTimes; ++i) {
    nap();
    fputs("text", p);
    fprintf(p, "%d\n", i);
  }
  return p;
}
static void *gets_parts(void *p) {
  int c = 0;
  for (int i = 0; i < kTimes && c != EOF; ++i) {
    nap();
    flockfile(p);
    for (int k = 0; k < 10 && c != EOF; ++k) c = getc_unlocked((FILE *)p);
    if (feof_unlocked((FILE *)p)) c = EOF;
    funlockfile(p);
  }
  return p;
}
static void *gets_all(void *p) {
  char text[8];
  for (int i = 0; i < kTimes && fgets(text, sizeof text, p); ++i) nap();
  return p;
}
static void *puts_without(void *p) {
  for (int i = 0; i < kTimes; ++i) {
    nap();
    putc_unlocked('a', (FILE *)p);
  }
  return p;
}
static void parts(void) {
  FILE *out = fopen("/dev/null", "w"), *in = tmpfile();
  if (!out || !in) abort();
  for (int i = 0; i < 200; ++i) putc_unlocked(i % 9 ? 'a' : '\n', in); /* nobody else is there */
  rewind(in);
  putc_unlocked('a', out);
  at_once(puts_parts, puts_all, out);
  at_once(puts_parts, puts_all, stdout);
  at_once(gets_parts, gets_all, in);
  at_once(puts_all, puts_all, out);
  putc_unlocked('a', out);
  fclose(out);
  fclose(in);
}
static void wrong_parts(void) {
  FILE *out = fopen("/dev/null", "w");
  at_once(puts_parts, puts_without, out);
  fclose(out);
}

/* --- functions of the program that stdio calls under the lock --- */

static struct {
  size_t bytes;
  char last[8];
} right_sink;
size_t wrong_sink;
static ssize_t sink(void *cookie, const char *text, size_t n) {
  right_sink.bytes += n;
  memcpy(right_sink.last, text, n < 8 ? n : 8);
  RACE(wrong_sink);
  (void)cookie;
  return (ssize_t)n;
}
static void *sinks(void *p) {
  for (int i = 0; i < kTimes; ++i) {
    nap();
    fprintf(p, "%d\n", i);
    RACE(wrong_sink);
  }
  return p;
}
static void cookies(void) {
  FILE *file = fopencookie(0, "w", (cookie_io_functions_t){0, sink, 0, 0});
  setvbuf(file, 0, _IONBF, 0);
  at_once(sinks, sinks, file);
  fclose(file);
}

/* --- who locks a FILE in a call of stdio after whom is chance --- */

int wrong_order;
static int first_step;
static void *is_first(void *p) {
  RACE(wrong_order);
  fputs("first", p);
  done(first_step);
  return p;
}
static void *is_second(void *p) {
  await(first_step);
  fputs("second", p);
  RACE(wrong_order);
  return p;
}
static void chance(void) {
  FILE *file = fopen("/dev/null", "w");
  first_step = new_step();
  at_once(is_first, is_second, file);
  fclose(file);
}

int main(int argc, char **argv) {
  (void)argv;
  wrong = argc > 1;
  prepare();
  locks[0] = fopen("/dev/null", "w");
  locks[1] = stdout;
  at_once(counts, counts, 0);
  fclose(locks[0]);
  parts();
  cookies();
  chance();
  if (wrong) wrong_parts();
  return 0;
}
