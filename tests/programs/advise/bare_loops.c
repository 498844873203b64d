// SPDX-License-Identifier: GPL-2.0-or-later
// Compiled without -g: five loops of one function, of which one carries something and two add up; one that is left in
// the middle; and a race.
#include <pthread.h>
#include <stdio.h>

static double a[1000], b[1000];
static long total;

static void *count(void *unused) {
  for (int i = 0; i < 100; i++) total += i;
  return unused;
}

static int find(const double *v, int n, double x) {
  for (int i = 0; i < n; i++)
    if (v[i] == x) return i;
  return -1;
}

int main(void) {
  double s = 0, t = 0;
  for (int i = 0; i < 1000; i++) b[i] = i;
  for (int i = 0; i < 1000; i++) a[i] = 2 * b[i];
  for (int i = 1; i < 1000; i++) a[i] += a[i - 1];
  for (int i = 0; i < 1000; i++) s += a[i];
  for (int i = 0; i < 1000; i++) t += b[i];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%g %g %d %ld\n", s, t, find(b, 1000, 600), total);
  return 0;
}
