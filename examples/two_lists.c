/* SPDX-License-Identifier: GPL-2.0-or-later
 * Builds two lists, then sums each. Which of the four calls could run at the same time? See two_lists.md. */
#include <stdio.h>
#include <stdlib.h>

struct link {
  int number;
  struct link* rest;
};

static struct link* count_up(int from, int to) {
  struct link* first = NULL;
  struct link** end = &first;
  for (int number = from; number <= to; number++) {
    *end = malloc(sizeof **end);
    (*end)->number = number;
    (*end)->rest = NULL;
    end = &(*end)->rest;
  }
  return first;
}

static int total(const struct link* list) {
  int sum = 0;
  for (; list; list = list->rest) sum += list->number;
  return sum;
}

static void release(struct link* list) {
  while (list) {
    struct link* rest = list->rest;
    free(list);
    list = rest;
  }
}

int main(void) {
  struct link* low = count_up(1, 9);
  struct link* high = count_up(10, 19);
  int low_total = total(low);
  int high_total = total(high);
  printf("%d and %d\n", low_total, high_total);
  release(low);
  release(high);
  return 0;
}
