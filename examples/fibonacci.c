/* SPDX-License-Identifier: GPL-2.0-or-later
 * The Fibonacci numbers by two recursions, one that forgets and one that remembers. In which are the two calls
 * independent? See fibonacci.md. */
#include <stdio.h>

enum { kLast = 15 };

static long known[kLast + 1];

static long forgetful(int n) {
  if (n < 2) return n;
  long before = forgetful(n - 1);
  long before_that = forgetful(n - 2);
  return before + before_that;
}

static long remembering(int n) {
  if (n < 2) return n;
  if (known[n]) return known[n];
  long before = remembering(n - 1);
  long before_that = remembering(n - 2);
  known[n] = before + before_that;
  return known[n];
}

int main(void) {
  printf("%ld\n", forgetful(kLast));
  printf("%ld\n", remembering(kLast));
  return 0;
}
