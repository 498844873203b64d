/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses that cover several variables at once. */
#include <string.h>

#include "order.h"

typedef long two_longs __attribute__((vector_size(16), aligned(8), may_alias));
typedef int two_ints __attribute__((vector_size(8), aligned(4), may_alias));
typedef int four_ints __attribute__((vector_size(16), aligned(4), may_alias));

#define put_longs(to, n) (*(volatile two_longs *)(to) = (two_longs){n, n})
#define put_ints(to, n) (*(volatile two_ints *)(to) = (two_ints){n, n})
#define put_cells(to, n) (*(volatile four_ints *)(to) = (four_ints){n, n, n, n})

/* Neighbours. */
static long tnow __attribute__((aligned(16))) = 1;
static long tout = 1;
static void neighbours_1(void) { put_longs(&tnow, 2); }

/* One of two. */
static struct times { long begin, end; } times;
static void one_1(void) { put_longs(&times, 2); }
static void one_2(void) { times.end = 3; }

/* What both have: the second of three. */
static struct { int first, second, third; } three;
static void overlap_1(void) { put_ints(&three.first, 2); }
static void overlap_2(void) { put_ints(&three.second, 3); }

/* With a hole between. */
static struct { char letter; int number; long sum; } gaps __attribute__((aligned(16)));
static void gaps_1(void) { put_longs(&gaps, 2); }

/* Elements of one array; members of its elements. */
static int cells[8];
static void cells_1(void) { put_cells(&cells[2], 2); }
static struct { int left, right; } pairs[4];
static void pairs_1(void) {
  for (int i = 0; i < 4; i += 2) put_cells(&pairs[i], 2);
}

int main(void) {
  if (&tout != &tnow + 1) return 1;
  prepare();
  in_turn(neighbours_1, neighbours_1);
  in_turn(one_1, one_2);
  in_turn(overlap_1, overlap_2);
  in_turn(gaps_1, gaps_1);
  in_turn(cells_1, cells_1);
  in_turn(pairs_1, pairs_1);
  return 0;
}
