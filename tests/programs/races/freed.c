/* SPDX-License-Identifier: GPL-2.0-or-later
 * Uses of blocks behind their free, in order: those of wrong_* are bugs, those of right_* come before the free. All blocks
 * are shared by two threads; sizes tell them apart. */
#include <stdlib.h>

#include "order.h"

static int sink;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void pass(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); }

struct a1 { int x[101]; }; struct a2 { int x[102]; }; struct a3 { int x[103]; }; struct a4 { int x[104]; };
static struct a1 *right_read; static struct a2 *wrong_read; static struct a3 *wrong_self; static struct a4 *wrong_write;

static void right_read_1(void) { right_read->x[7] = 1; pass(); }
static void right_read_2(void) { pass(); sink += right_read->x[7]; free(right_read); }

static void wrong_read_1(void) { wrong_read->x[7] = 1; free(wrong_read); pass(); }
static void wrong_read_2(void) { pass(); sink += wrong_read->x[7]; }

/* By the thread that freed it. */
static void wrong_self_1(void) { wrong_self->x[7] = 1; pass(); }
static void wrong_self_2(void) { pass(); free(wrong_self); sink += wrong_self->x[7]; }

static void wrong_write_1(void) { free(wrong_write); pass(); }
static void wrong_write_2(void) { pass(); for (int i = 0; i < 5; ++i) wrong_write->x[10 + i] = i; }

/* Allocated anew, it is another block. */
struct again { int x[201]; };
static struct again *first, *second;
static void again_1(void) { first->x[7] = 1; free(first); second = malloc(sizeof *second); second->x[7] = 2; pass(); }
static void again_2(void) { pass(); sink += second->x[7]; }

int main(void) {
  prepare();
  right_read = calloc(1, sizeof *right_read);
  wrong_read = calloc(1, sizeof *wrong_read);
  wrong_self = calloc(1, sizeof *wrong_self);
  wrong_write = calloc(1, sizeof *wrong_write);
  wrong_write->x[10] = 1;
  first = calloc(1, sizeof *first);
  in_turn(right_read_1, right_read_2);
  in_turn(wrong_read_1, wrong_read_2);
  in_turn(wrong_self_1, wrong_self_2);
  in_turn(wrong_write_1, wrong_write_2);
  in_turn(again_1, again_2);
  return sink == 12345;
}
