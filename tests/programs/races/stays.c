/* SPDX-License-Identifier: GPL-2.0-or-later
 * Races that only follow from others, and what a lock at the root alone would leave of them: w_* remain, gone_* do not. */
#include "order.h"

static int sink;

/* The order of the critical sections of v1 says nothing about the two stores. */
static int v1, w_1;
static void left_1(void) { v1 = 1; w_1 = 1; }
static void left_2(void) { if (v1) w_1 = 2; }

/* Here it does: the one store comes before the last section, the other behind it. */
static int v2, gone_2;
static void ordered_1(void) { v2 = 1; gone_2 = 1; v2 = 2; }
static void ordered_2(void) { if (v2) gone_2 = 2; }

/* An index in place of a condition, and a chain. */
static int v3, w_3[2], w_4[4];
static void chain_1(void) { v3 = 1; w_3[1] = 2; w_4[2] = 3; }
static void chain_2(void) { int x = v3, y = w_3[x]; sink += w_4[y]; }

static int v5, gone_5[2], gone_6[4];
static void ordered_chain_1(void) { v5 = 1; gone_5[1] = 2; gone_6[2] = 3; v5 = 1; }
static void ordered_chain_2(void) { int x = v5, y = gone_5[x]; sink += gone_6[y]; }

int main(void) {
  prepare();
  in_turn(left_1, left_2);
  in_turn(ordered_1, ordered_2);
  in_turn(chain_1, chain_2);
  in_turn(ordered_chain_1, ordered_chain_2);
  return sink == 12345;
}
