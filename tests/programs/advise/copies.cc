/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a line for OpenMP means otherwise than the code: a loop of the source that is in the code several times, put in
 * line or as a template; variables of the file that functions put in line name, too, and so not a thread's copies; and
 * heads that end where the counter wraps around. `cdrgrind advise' should print no line for what stands behind `none',
 * and one for what stands behind `line'.
 */
#include <cstdio>

#define CALLED extern "C" __attribute__((noinline, noclone))

enum { N = 3000 };
int a[N], b[N], c[N];
double x[N], y[N];
static double scratch[8], total;
static struct {
  double p, q;
} pair;

static inline __attribute__((always_inline)) void shift(int *to, const int *from, int n) {
  /* none */
  for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
}
CALLED void shift_apart() { shift(b, a, N - 1); }
CALLED void shift_in_place() { shift(c + 1, c, N - 1); }

template <class F> __attribute__((noinline)) void each(F f) {
  /* none */
  for (int i = 1; i < N; i++)
    f(i);
}
CALLED void double_each() {
  each([](int i) { b[i] *= 2; });
}
CALLED void sum_up_each() {
  each([](int i) { c[i] += c[i - 1] & 0xff; });
}

template <class F> __attribute__((noinline)) void all_of_them(F f) {
  /* line */
  for (int i = 0; i < N; i++)
    f(i);
}
CALLED void halve_all() {
  all_of_them([](int i) { y[i] = x[i] / 2; });
}
CALLED void add_all() {
  all_of_them([](int i) { y[i] += x[i]; });
}

static inline double sum_of_scratch() {
  double s = 0;
  for (int k = 0; k < 8; k++)
    s += scratch[k];
  return s;
}
CALLED void read_in_line() {
  /* none */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 8; k++)
      scratch[k] = x[i] * k;
    y[i] = sum_of_scratch();
  }
}
static inline double of_pair() { return pair.p + pair.q; }
CALLED void members_in_line() {
  /* none */
  for (int i = 0; i < N; i++) {
    pair.p = x[i];
    pair.q = 1;
    y[i] = of_pair();
  }
}
static inline void add_to_total(double v) { total += v; }
CALLED void sum_in_line() {
  /* none */
  for (int i = 0; i < N; i++) {
    total += x[i];
    if (i % 3 == 0) add_to_total(y[i]);
  }
}
static inline double twice(double scratch) { return 2 * scratch; }
CALLED void other_of_that_name() {
  /* line O0 O1 */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 8; k++)
      scratch[k] = x[i] * k;
    y[i] = twice(scratch[3]);
  }
}

CALLED void wraps_around(unsigned n) {
  /* none */
  for (unsigned i = n - 1; i < n; --i)
    y[i] = x[i] * 2;
}
CALLED void counts_down(int n) {
  /* line */
  for (int i = n - 1; i >= 0; --i)
    y[i] = x[i] * 3;
}

static void print(const char *name) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += (b[i] % 1000 + c[i] % 77 + y[i]) * (i % 5);
  std::printf("%s %.10g %.10g %.10g\n", name, s, total, scratch[3] + pair.p);
}

int main() {
  for (int i = 0; i < N; i++)
    a[i] = i * 7 % 1013, b[i] = i, x[i] = i * 0.5;
  shift_apart(), print("apart");
  shift_in_place(), print("in place");
  double_each(), print("double");
  sum_up_each(), print("sum up");
  halve_all(), print("halve");
  add_all(), print("add");
  read_in_line(), print("scratch");
  members_in_line(), print("pair");
  sum_in_line(), print("total");
  other_of_that_name(), print("other");
  wraps_around(N), print("wraps");
  counts_down(N), print("down");
}
