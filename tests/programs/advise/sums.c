/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sums whose old value is put aside around a call, truth values, and arrays that are scratch, with what is like them
 * and is not. What `cdrgrind advise' should say of a loop without optimisation stands at its first line, as in cases.c;
 * with optimisation no loop may be called parallel whose line does not say so.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60 };
double re[N], im[N], x[N], y[N], rows[N][N];
int a[N], h[8];

#define CALLED __attribute__((noinline))
CALLED double squared(double v) { return v * v + 1; }
CALLED int rest(int v) { return v * v % 7; }

CALLED void transform(double *to_re, double *to_im) {
  for (int k = 0; k < N; k++) { /* = transform parallel private */
    for (int t = 0; t < N; t++) { /* = transform_inner parallel private reduction */
      double angle = 0.1 * t * k;
      to_re[k] += x[t] * cos(angle);
      to_im[k] -= x[t] * sin(angle);
    }
  }
}
CALLED void two_calls(double *to) {
  for (int t = 0; t < N; t++) /* = two_calls parallel private reduction */
    to[3] += x[t] * cos(t) * exp(-0.1 * t);
}
CALLED void scattered(double *to) {
  for (int i = 0; i < N; i++) /* = scattered parallel private reduction */
    to[a[i] % 8] += x[i] * squared(i);
}
CALLED void by_register(int *to) {
  for (int i = 0; i < N; i++) /* = by_register parallel reduction */
    to[2] = to[2] + rest(a[i]);
}
/* Into the next element. */
CALLED void prefix(double *to) {
  int k = 0;
  for (int i = 0; i < N - 1; i++) { /* = prefix sequential private recurrence */
    double old = to[k];
    double c = cos(x[i]);
    k++;
    to[k] = old + c;
  }
}
CALLED void elsewhere(double *to, int *k) {
  for (int i = 0; i < N; i++) { /* = elsewhere sequential private recurrence */
    double old = to[*k];
    double c = cos(x[i]);
    *k = (*k + 1) % 5;
    to[*k] = old + c;
  }
}
/* The old value is wanted. */
CALLED double read_again(double *to) {
  double all = 0;
  for (int i = 0; i < N; i++) { /* = read_again sequential private recurrence reduction */
    double old = to[1];
    double c = cos(x[i]);
    to[1] = old + c;
    all += old;
  }
  return all;
}
CALLED double read_behind(double *to) {
  double old = 0;
  for (int i = 0; i < N; i++) { /* = read_behind sequential private lastprivate recurrence */
    old = to[1];
    double c = cos(x[i]);
    to[1] = old + c;
  }
  return old;
}
CALLED int register_behind(int *to) {
  int old = 0;
  for (int i = 0; i < N; i++) { /* = register_behind sequential private lastprivate recurrence ; O2 parallel reduction */
    old = to[2];
    int c = rest(a[i]);
    to[2] = old + c;
  }
  return old;
}
CALLED void handed_on(double *to) {
  for (int i = 0; i < N; i++) /* = handed_on sequential private recurrence */
    to[1] += x[i] * cos(to[1]);
}
CALLED void printed(double *to) {
  for (int i = 0; i < 5; i++) { /* = printed sequential output private recurrence */
    double old = to[1];
    int c = printf("%.6g\n", old);
    to[1] = old + c;
  }
}
/* Not each iteration puts it aside. */
CALLED void of_earlier(double *to) {
  double old = 0;
  for (int i = 0; i < N; i++) { /* = of_earlier sequential private recurrence */
    if (i % 3 == 0)
      old = to[1];
    double c = cos(x[i]);
    to[1] = old + c;
  }
}

CALLED bool any(int v) {
  bool found = false;
  for (int i = 0; i < N; i++) /* = any parallel reduction */
    found = found || a[i] == v;
  return found;
}
CALLED bool all(int v) {
  bool every = true;
  for (int i = 0; i < N; i++) /* = all parallel reduction */
    every = every && a[i] < v;
  return every;
}
CALLED int any_number(int v) {
  int found = 0;
  for (int i = 0; i < N; i++) /* = any_number parallel reduction */
    found = found || a[i] == v;
  return found;
}
CALLED int any_from_right(int v) {
  int found = 0;
  for (int i = 0; i < N; i++) /* = any_from_right parallel reduction */
    found = a[i] == v || found;
  return found;
}
CALLED int all_numbers(int v, int w) {
  int every = 1;
  for (int i = 0; i < N; i++) /* = all_numbers parallel reduction */
    every = every && a[i] < v && a[i] != w;
  return every;
}
CALLED int any_of_matrix(double v) {
  int found = 0;
  for (int i = 0; i < N; i++) /* = any_of_matrix parallel private reduction */
    for (int j = 0; j < N; j++) /* = any_of_row parallel reduction */
      found = found || rows[i][j] == v;
  return found;
}
/* What comes of it is wanted in each iteration. */
CALLED int counted(int v) {
  int found = 0, count = 0;
  for (int i = 0; i < N; i++) { /* = counted sequential recurrence reduction */
    found = found || a[i] == v;
    count += found;
  }
  return found + count;
}
CALLED int first_place(int v) {
  int found = 0, at = -1;
  for (int i = 0; i < N; i++) { /* = first_place sequential lastprivate recurrence */
    if (!found) {
      found = a[i] == v;
      at = i;
    }
  }
  return found * 100 + at;
}
/* The first that is not 0, whatever it is. */
CALLED int first_value(void) {
  int first = 0;
  for (int i = 0; i < N; i++) /* = first_value sequential recurrence */
    if (first == 0)
      first = a[i] % 5;
  return first;
}
CALLED int toggled(int v) {
  int odd = 0;
  for (int i = 0; i < N; i++) /* = toggled sequential recurrence */
    odd = odd ? a[i] != v : a[i] == v;
  return odd;
}
CALLED int by_either(int v) {
  int both = 0;
  for (int i = 0; i < N; i++) { /* = by_either sequential recurrence */
    both = both || a[i] == v;
    both = both && a[i] < 30;
  }
  return both;
}
CALLED int changes(int v) {
  int found = 0;
  for (int i = 0; i < N; i++) /* = changes sequential recurrence */
    found = found || (h[i % 8]++, a[i] == v);
  return found;
}

CALLED void fills(double (*from)[N], double *to, int n) {
  double t[64];
  for (int i = 0; i < n; i++) { /* = fills parallel private */
    for (int j = 0; j < n; j++) /* = fill parallel */
      t[j] = from[i][j] * 2;
    double s = 0;
    for (int j = 0; j < n; j++) /* = use parallel reduction */
      s += t[j] * t[n - 1 - j];
    to[i] = s;
  }
}
CALLED double fills_and_reads(double (*from)[N], double *to, int n) {
  double t[64];
  for (int i = 0; i < n; i++) { /* = fills_and_reads parallel private lastprivate */
    for (int j = 0; j < n; j++) /* = fill_2 parallel */
      t[j] = from[i][j] * 2;
    double s = 0;
    for (int j = 0; j < n; j++) /* = use_2 parallel reduction */
      s += t[j] * t[n - 1 - j];
    to[i] = s;
  }
  return t[3];
}
CALLED void partly(double (*from)[N], double *to, int n) {
  double t[64] = {1, 2, 3};
  for (int i = 0; i < n; i++) { /* = partly parallel private */
    for (int j = 2; j < n; j++) /* = fill_3 parallel */
      t[j] = from[i][j] * 2;
    double s = 0;
    for (int j = 0; j < n; j++) /* = use_3 parallel reduction */
      s += t[j] * t[n - 1 - j];
    to[i] = s;
  }
}
CALLED double result_beside(double (*from)[N], double *to) {
  volatile double t[64];
  for (int i = 0; i < 30; i++) { /* = result_beside parallel private */
    for (int j = 0; j < 8; j++) /* = fill_4 parallel */
      t[j] = from[i][j] * 2;
    to[i] = t[0] + t[7];
    t[20 + i] = to[i];
  }
  double s = 0;
  for (int i = 0; i < 30; i++) /* = sum_of_results parallel reduction */
    s += t[20 + i];
  return s;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    x[i] = i * 0.5, a[i] = i * 7 % 31;
    for (int j = 0; j < N; j++)
      rows[i][j] = i + j * 0.5;
  }
  int k = 1;
  double s = 0;
  transform(re, im), two_calls(re), scattered(y), by_register(h);
  for (int i = 0; i < N; i++)
    s += re[i] + im[i] + y[i];
  printf("%.6g %d\n", s, h[2]);
  prefix(re), elsewhere(re, &k), handed_on(re), printed(re), of_earlier(re);
  printf("%.6g %.6g %.6g %d\n", re[1], read_again(y), read_behind(im), register_behind(h));
  printf("%d %d %d %d %d %d %d\n", any(5), any(40), all(50), all(20), any_number(5), any_number(40), any_from_right(6));
  printf("%d %d %d %d %d\n", all_numbers(50, 40), all_numbers(50, 6), any_of_matrix(7), any_of_matrix(-1), counted(5));
  printf("%d %d %d %d %d\n", first_place(9), first_value(), toggled(5), by_either(29), changes(14));
  s = 0;
  fills(rows, y, 40);
  for (int i = 0; i < 40; i++)
    s += y[i];
  s += fills_and_reads(rows, y, 40);
  for (int i = 0; i < 40; i++)
    s += y[i];
  partly(rows, y, 40);
  for (int i = 0; i < 40; i++)
    s += y[i];
  printf("%.6g %.6g\n", s, result_beside(rows, y));
}
