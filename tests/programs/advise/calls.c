/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Long calls of which it is known what could run beside them. At a call: `spawn WAIT`, the line before which something
 * needs it (relative to the call's), or `end`; `output` if both write some. Long calls without a mark are no spawns.
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };
double a[N], b[N], c[N], scratch[N];
double sink;

static void fill(double *to, double from) {
  for (int i = 0; i < N; i++)
    to[i] = from + i;
}
static double sum(const double *of) {
  double s = 0;
  for (int i = 0; i < N; i++)
    s += of[i];
  return s;
}
static double through_scratch(double from) {
  fill(scratch, from);
  return scratch[N / 2];
}
static void report(const char *name, const double *of) { printf("%s %g\n", name, sum(of)); }
static double *filled(double from) {
  double *to = malloc(N * sizeof *to);
  fill(to, from);
  return to;
}

static void two_fills(void) {
  fill(a, 1); /* = spawn +3 */
  fill(b, 2);
  c[3] = 1;
  c[4] = a[7];
  c[5] = b[7];
}

static double two_sums(void) {
  double x = sum(a); /* = spawn +2 */
  double y = sum(b);
  return x + y;
}

static double chain(void) {
  double x = sum(a);
  fill(b, x);
  return sum(b);
}

static double anti(void) {
  double x = sum(a); /* = spawn +2 */
  fill(b, 2); /* = spawn end */
  fill(a, 1);
  return x;
}

static double same_scratch(void) {
  double x = through_scratch(1);
  return x + through_scratch(2);
}

static void in_a_loop(void) {
  for (int i = 0; i < 3; i++) {
    fill(a, i); /* = spawn end */
    fill(b, i);
  }
}

static void both_print(void) {
  report("a", a); /* = spawn end output */
  report("b", b);
}

static double both_allocate(void) {
  double *x = filled(1); /* = spawn +2 */
  double *y = filled(2);
  double z = x[3] + y[3];
  free(x);
  free(y);
  return z;
}

static double tree(int depth) {
  if (depth == 0)
    return sum(a);
  double x = tree(depth - 1); /* = spawn +2 */
  double y = tree(depth - 1);
  return x + y;
}

int main(void) {
  two_fills();
  sink += two_sums();
  sink += chain();
  sink += anti();
  sink += same_scratch();
  in_a_loop();
  both_print();
  sink += both_allocate();
  sink += tree(3);
  printf("%g\n", sink);
  return 0;
}
