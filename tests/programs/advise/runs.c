/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops that carry something only with an argument: two runs, one answer.
 */
#include <stdio.h>

enum { N = 200 };
int idx[N], hist[N], a[N], b[N];

static void count(void) {
  for (int i = 0; i < N; i++) /* count */
    hist[idx[i]]++;
}

static void previous(int step) {
  for (int i = 1; i < N; i++) /* previous */
    a[i] = b[i] + (step ? a[i - step] : 1);
}

static void copy(int n) {
  for (int i = 0; i < n; i++) /* copy */
    b[i] = a[i] + 1;
}

static int total(void) {
  int s = 0;
  for (int i = 0; i < N; i++) /* total */
    s += hist[i] + a[i] + b[i];
  return s;
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < N; i++)
    idx[i] = argc > 1 ? i % 7 : i;
  count();
  previous(argc > 1);
  copy(argc > 1 ? N : 1);
  printf("%d\n", total());
  return 0;
}
