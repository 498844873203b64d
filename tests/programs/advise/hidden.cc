/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops that change variables from outside in ways that optimised code may hide: what `cdrgrind advise` should print of
 * them stands in the line before, `none` or the clauses, at -O0 and at -O2.
 */
#include <alloca.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <tuple>

#define CALLED extern "C" __attribute__((noinline))
#define SET(v) hidden = (v)
#define CROSS(d, x, y) d[0] = x[1] * y[2], d[1] = x[2] * y[0], d[2] = x[0] * y[1]

enum { N = 300 };
double x[N][3], z[N][3], y[N];
int grid[N][N], numbers[N];

static inline void split(double whole, double *high, double *low) { *high = (float)whole, *low = whole - *high; }
static inline void split_into(double whole, double &high, double &low) { high = (float)whole, low = whole - high; }
struct Three {
  double a, b, c;
  void set(const double *p) { a = p[0], b = p[1], c = p[2]; }
  double product() const { return a * b + c; }
};

CALLED void elements() {
  double v[3];
  /* O0 private(v) O2 none */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) v[k] = x[i][k] - 1;
    y[i] += v[0] * v[1] + v[2];
  }
}
CALLED void by_pointers() {
  double high, low;
  /* O0 private(high) private(low) O2 none */
  for (int i = 0; i < N; i++) {
    split(x[i][0], &high, &low);
    y[i] += high * low;
  }
}
CALLED void by_references() {
  double high, low;
  /* O0 private(high) private(low) O2 none */
  for (int i = 0; i < N; i++) {
    split_into(x[i][0], high, low);
    y[i] += high * low;
  }
}
CALLED void by_member() {
  Three v;
  /* O0 private(v) O2 none */
  for (int i = 0; i < N; i++) {
    v.set(x[i]);
    y[i] += v.product();
  }
}
CALLED void by_lambda() {
  double t;
  auto add = [&](int i) {
    t = x[i][1];
    y[i] += t * t;
  };
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) add(i);
}
CALLED void by_macro() {
  double hidden, d[3];
  /* O0 private(d) private(hidden) O2 none */
  for (int i = 0; i < N; i++) {
    SET(x[i][1]);
    CROSS(d, x[i], z[i]);
    y[i] += hidden * d[0] + d[1] * d[2];
  }
}
CALLED void copied() {
  double t;
  /* O0 private(t) O2 none */
  for (int i = 0; i < N; i++) {
    memcpy(&t, &x[i][2], sizeof t);
    y[i] += t * t;
  }
}
CALLED void tied() {
  double a, b;
  /* O0 private(b) private(a) O2 none */
  for (int i = 0; i < N; i++) {
    std::tie(a, b) = std::pair<double, double>(x[i][0], z[i][1]);
    y[i] += a * b;
  }
}
CALLED void in_array() {
  std::array<double, 3> v;
  /* O0 private(v) O2 none */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) v[k] = x[i][k] + 1;
    y[i] += v[0] * v[1] * v[2];
  }
}
/* What has no name in debug information is no compiler's own if its place is computed. */
CALLED void of_any_size(int n) {
  int line[n];
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) line[k] = i * k;
    for (int k = 0; k < n; k++) grid[i][k] = line[n - 1 - k];
  }
}
CALLED void allocated(int n) {
  int *line = (int *)alloca(n * sizeof(int));
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) line[k] = i + k;
    for (int k = 0; k < n; k++) grid[i][k] += line[n - 1 - k];
  }
}
CALLED void aligned() {
  int line[64] __attribute__((aligned(64)));
  /* O0 none O2 none */
  for (int i = 0; i < 64; i++) {
    for (int k = 0; k < 64; k++) line[k] = i * k;
    for (int k = 0; k < 64; k++) grid[i][k] += line[63 - k];
  }
}
/* Which iteration stores last depends on what is there. */
CALLED int last_above(int least) {
  int last = -1;
  /* O0 lastprivate(conditional:last) O2 none */
  for (int i = 0; i < N; i++)
    if (numbers[i] % 10 > least) last = i;
  return last;
}
CALLED int last_of_all() {
  int last = -1;
  /* O0 lastprivate(last) O2 none */
  for (int i = 0; i < N; i++) {
    last = numbers[i] * 3;
    numbers[i] = last % 100 + i % 10;
  }
  return last;
}
CALLED void with_static() {
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    static double t;
    t = x[i][1];
    y[i] += t;
  }
}
CALLED void counter_changed() {
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    if (x[i][0] < -1) {
      i++;
      continue;
    }
    y[i] += 1;
  }
}
/* A word in a comment is no variable of the loop's. */
CALLED double by_address() {
  double s = 0, *at = &s;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    *at += x[i][0]; /* s, by its address */
  }
  return s;
}

/* Each iteration begins by giving them a value, and nobody reads it elsewhere. */
CALLED void own_by_text(int n) {
  int i, j, k;
  double t;
  /* O0 private(t) private(k) private(j) lastprivate(i) O2 private(j) private(k) private(t) lastprivate(i) */
  for (i = 0; i < n; i++) {
    t = y[i] * 2;
    for (j = 0; j < 3; j++) z[i][j] += t + x[i][j];
    for (k = 0; k < n; k += 2) grid[i][k] = k + i;
  }
  for (j = 0; j < 3; j++) y[j] += 1;
}
CALLED double halved(double v) { return v / 2; }
/* What is assigned first may be assigned again where a condition says. */
CALLED void assigned_again(int n) {
  double t;
  /* O0 private(t) O2 private(t) */
  for (int i = 0; i < n; i++) {
    t = y[i];
    if (i % 7 == 0) t = halved(t);
    y[i] = t / 7.0;
  }
}
CALLED void under_another() {
#pragma GCC ivdep /* O0 none O2 none */
  for (int i = 0; i < N; i++) numbers[i] += i;
}
/* The block around the loop has no other code. */
CALLED void in_block(int some) {
  if (some) {
    double t;
    int i;
    /* O0 private(t) lastprivate(i) O2 private(t) lastprivate(i) */
    for (i = 0; i < N; i++) {
      t = y[i] * 3;
      y[i] = t > 100 ? t - i : t;
    }
  }
}

int main() {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) {
      x[i][k] = i + k;
      z[i][k] = k * i % 7;
      numbers[i] = i;
    }
  elements();
  by_pointers();
  by_references();
  by_member();
  by_lambda();
  by_macro();
  copied();
  tied();
  in_array();
  of_any_size(N);
  allocated(N);
  aligned();
  int found = last_above(5) + last_of_all();
  with_static();
  counter_changed();
  own_by_text(N);
  assigned_again(N);
  under_another();
  in_block(found);
  double s = by_address();
  for (int i = 0; i < N; i++) s += y[i] * (i % 5) + grid[i][N - 1 - i] + z[i][i % 3] + numbers[i];
  std::printf("%.17g %d\n", s, found);
}
