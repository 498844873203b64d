/* SPDX-License-Identifier: GPL-2.0-or-later
 * Races that only follow from others. Order as the recording had it: each pair of functions one after the other, but
 * in the tangle. artifacts.expect has for each race its variable, its status, and the variable that it follows from. */
#include "order.h"

static int sink;

/* The paper's Figure 7: the second thread's index comes from a race. */
static int s1, a1[2];
static void figure_7_1(void) { s1 = 1; a1[1] = 0; }
static void figure_7_2(void) { int x = s1; sink += a1[x]; }

/* The same, and the reader saw the old value. */
static int s2, a2[2];
static void old_value_1(void) { int x = s2; sink += a2[x]; }
static void old_value_2(void) { s2 = 1; a2[0] = 0; }

static int s3, a3[2];
static void condition_1(void) { s3 = 1; a3[1] = 0; }
static void condition_2(void) { if (s3) sink += a3[1]; }

static int x4, y4;
static void unrelated_1(void) { x4 = 1; y4 = 1; }
static void unrelated_2(void) { sink += x4; sink += y4; }

static int s5, a5[2], y5;
static void after_figure_1(void) { s5 = 1; a5[1] = 0; y5 = 1; }
static void after_figure_2(void) { int x = s5; sink += a5[x]; sink += y5; }

static int d6, f6;
static void spin_1(void) { d6 = 5; *(volatile int *)&f6 = 1; }
static void spin_2(void) { while (!*(volatile int *)&f6) {} sink += d6; }

static int d7, f7;
static void flag_1(void) { d7 = 5; f7 = 1; }
static void flag_2(void) { if (f7) sink += d7; }

static int d8, f8;
static void early_1(void) { *(volatile int *)&f8 = 1; d8 = 5; }
static void early_2(void) { while (!*(volatile int *)&f8) {} sink += d8; }

static int d9, f9;
static void unused_1(void) { d9 = 5; f9 = 1; }
static void unused_2(void) { int t = f9; (void)t; sink += d9; }

static int s10, a10[2], b10[4];
static void chain_1(void) { s10 = 1; a10[1] = 2; b10[2] = 3; }
static void chain_2(void) { int x = s10, y = a10[x]; sink += b10[y]; }

/* The second thread's start is a root; then each thread's store decides what the other does next. */
static int s11, a11[2];
enum { kFirst, kSecond = kFirst + 4 };
static void tangle_1(void) {
  for (int round = 0; round < 3; ++round) {
    await(kFirst + round);
    int i = s11;
    a11[i] = 1;
    done(kSecond + round);
  }
}
static void tangle_2(void) {
  s11 = 1;
  done(kFirst);
  for (int round = 0; round < 3; ++round) {
    await(kSecond + round);
    int j = a11[1];
    if (j) s11 = j;
    if (round < 2) done(kFirst + round + 1);
  }
}

int main(void) {
  prepare();
  in_turn(figure_7_1, figure_7_2);
  in_turn(old_value_1, old_value_2);
  in_turn(condition_1, condition_2);
  in_turn(unrelated_1, unrelated_2);
  in_turn(after_figure_1, after_figure_2);
  in_turn(spin_1, spin_2);
  in_turn(flag_1, flag_2);
  in_turn(early_1, early_2);
  in_turn(unused_1, unused_2);
  in_turn(chain_1, chain_2);
  together(tangle_1, tangle_2);
  return sink == 12345;
}
