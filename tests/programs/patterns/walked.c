/* SPDX-License-Identifier: GPL-2.0-or-later
 * Loops over data of every kind. The comment says what a line's loads are of, in the order of their number. The heap
 * hands out the same piece of memory twice: for numbers of one line's and then of another's. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMany = 200 };

struct cell {
  volatile long left, right;
};
struct list {
  struct list* next;
  volatile int value;
};

static volatile int table[kMany];
static volatile struct cell grid[kMany];
static __thread volatile int own[kMany];

#define APART __attribute__((noinline, noipa)) static

APART long over_table(void) {
  long sum = 0;
  for (int i = 0; i < kMany; i++) sum += table[i];      /* table[…] */
  for (int i = 0; i < kMany; i++) sum += grid[i].right; /* grid[…].right */
  return sum;
}

APART long over_list(const struct list* l) {
  long sum = 0;
  for (; l; l = l->next) sum += l->value; /* l->value, block at walked.c:LIST */
  return sum;
}

APART long over_any(const volatile long* p, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += p[i]; /* later[…], block at walked.c:LATER | first[…], block at walked.c:FIRST | numbers[…] of main */
  return sum;
}

APART long over_much(const volatile char* p, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) sum += p[i]; /* MUCH */
  return sum;
}

static void* in_thread(void* mine) {
  const volatile long* p = mine;
  long sum = 0;
  for (int i = 0; i < kMany; i++) sum += p[i];   /* shared[…] of main */
  for (int i = 0; i < kMany; i++) sum += own[i]; /* own[…] */
  return (void*)sum;
}

APART void fill(volatile long* p, int n) {
  for (int i = 0; i < n; i++) p[i] = i;
}

APART long in_turn(void) {
  long* first = malloc(40 * sizeof *first); /* AT FIRST */
  const void* const was = first;
  fill(first, 40);
  long sum = over_any(first, 40);
  free(first);
  long* later = malloc(40 * sizeof *later); /* AT LATER */
  if ((void*)later != was) puts("elsewhere");
  fill(later, 40);
  sum += over_any(later, 40) + over_any(later, 40);
  free(later);
  return sum;
}

static volatile char a[60], b[50], c[40], d[30], e[20], f[10];

int main(void) {
  long numbers[20] = {1, 2}, shared[kMany] = {3};
  struct list* first = NULL;
  for (int i = 0; i < kMany; i++) {
    struct list* l = malloc(sizeof *l); /* AT LIST */
    l->next = first;
    l->value = i;
    first = l;
  }
  long sum = over_table() + over_list(first) + in_turn() + over_any(numbers, 20);
  sum +=
      over_much(f, 10) + over_much(a, 60) + over_much(b, 50) + over_much(c, 40) + over_much(d, 30) + over_much(e, 20);
  pthread_t t;
  pthread_create(&t, NULL, in_thread, shared);
  void* of_thread;
  pthread_join(t, &of_thread);
  printf("%ld\n", sum + (long)of_thread);
  return 0;
}
