// SPDX-License-Identifier: GPL-2.0-or-later
// Data of every kind, each with a line of its own that depends on itself or on the line before; the comment says what the
// data is called. docs/dependences.md has them in a table.
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int left, right;
  unsigned low : 3, high : 5;
};
union either {
  long number;
  char bytes[8];
};
struct list {
  struct list *next;
  int value;
};

int global;
static int fixed;
static int array[8];
static struct item single, grid[4];
static union either both;

static void keep(int n) {
  static int kept;
  kept += n; /* keep::kept */
}

static void add(int *to, int n) {
  *to += n; /* local */
}

static struct list *push(struct list *first, int value) {
  struct list *l = malloc(sizeof *l); /* AT list */
  l->value = value;
  l->next = first;
  return l;
}

int main(void) {
  int local = 0, plain[4] = {0};
  struct list *first = NULL;
  char *bytes = calloc(1, 40); /* AT bytes */
  for (int i = 0; i < 4; ++i) {
    global += i;          /* global */
    fixed += i;           /* fixed */
    array[i & 1] += i;    /* array[…] */
    single.right += i;    /* single.right */
    grid[i & 1].left += i; /* grid[…].left */
    both.number += i;     /* both.number */
    plain[i & 1] += i;    /* plain[…] */
    bytes[i & 1] += 1;    /* bytes[…], block at names.c:bytes */
    add(&local, i);
    keep(i);
    first = push(first, i);
  }
  int sum = 0;
  for (struct list *l = first; l; l = l->next) sum += l->value;
  printf("%d %d\n", sum + plain[1] + bytes[0], local);
  return 0;
}
