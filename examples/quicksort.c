/* SPDX-License-Identifier: GPL-2.0-or-later
 * Quicksort: do the two recursive calls depend on each other? See quicksort.md. */
#include <stdio.h>

static void swap(int* a, int* b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

/* Moves what is less than the last item before it; where it ends up is the answer. */
static int* divide(int* begin, int* end) {
  int* pivot = end - 1;
  int* less_end = begin;
  for (int* item = begin; item < pivot; item++)
    if (*item < *pivot) swap(item, less_end++);
  swap(less_end, pivot);
  return less_end;
}

static void sort(int* begin, int* end) {
  if (end - begin < 2) return;
  int* pivot = divide(begin, end);
  sort(begin, pivot);
  sort(pivot + 1, end);
}

int main(void) {
  int items[] = {31, 41, 59, 26, 53, 58, 97, 93, 23, 84, 62, 64, 33, 83, 27, 95};
  enum { kItems = sizeof items / sizeof items[0] };
  sort(items, items + kItems);
  for (int i = 0; i < kItems; i++) printf("%d%c", items[i], i + 1 < kItems ? ' ' : '\n');
  return 0;
}
