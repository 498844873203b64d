/* SPDX-License-Identifier: GPL-2.0-or-later
 * Functions that call themselves and each other, also through pointers. */
static int depth_of_even, depth_of_odd;

static int is_odd(unsigned n);
static int is_even(unsigned n) {
  depth_of_even++;
  return n == 0 || is_odd(n - 1);
}
static int is_odd(unsigned n) {
  depth_of_odd++;
  return n != 0 && is_even(n - 1);
}

static long ackermann(long m, long n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static int apply(int (*volatile function)(unsigned), unsigned n) { return n < 2 ? function(n) : apply(function, n - 1); }

int main(void) {
  const int right = is_even(40) && ackermann(2, 4) == 11 && apply(is_odd, 20) && depth_of_even == 22 && depth_of_odd == 21;
  return right ? 0 : 1;
}
