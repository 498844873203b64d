/* SPDX-License-Identifier: GPL-2.0-or-later
 * What is one variable, what is one piece of memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <emmintrin.h>
#include <sys/mman.h>

#include "order.h"

/* Disjoint bytes of a word do not race, the word as a whole races with each. */
static struct {
  char low, high;
} bytes;
static void bytes_1(void) { bytes.low = 1; }
static void bytes_2(void) { bytes.high = 2; }

static union {
  uint32_t whole;
  uint8_t byte[4];
} word;
static void word_1(void) { word.whole = 1; }
static void word_2(void) { word.byte[2] = 2; }

static struct {
  unsigned a : 4, b : 4;
} bits;
static void bits_1(void) { bits.a = 1; }
static void bits_2(void) { bits.b = 2; }

static struct cell {
  int right, left;
} grid[8];
static void grid_1(void) { grid[3].left = 1; }
static void grid_2(void) { grid[3].left = 2; }

static int sse[4] __attribute__((aligned(16)));
static void sse_1(void) { _mm_store_si128((__m128i *)sse, _mm_set1_epi32(1)); }
static void sse_2(void) { sse[3] = 2; }

static char copied[64];
static void copied_1(void) { char from[64] = {0}; memcpy(copied, from, sizeof copied); }
static void copied_2(void) { copied[40] = 1; }

static int columns[20];
static void columns_1(void) { for (int i = 0; i < 20; i += 2) columns[i] = 1; }
static void columns_2(void) { for (int i = 1; i < 20; i += 2) columns[i] = 2; }

static int rows[20];
static void rows_1(void) { for (int i = 0; i < 20; ++i) rows[i] = 1; }
static void rows_2(void) { for (int i = 0; i < 20; i += 4) rows[i] = 2; }

static volatile int summed;
static void summed_1(void) { summed++; }
static void summed_2(void) { summed++; }

/* A heap block of both. */
static int *block;
static void block_1(void) { block[2] = 1; }
static void block_2(void) { block[2] = 2; }

/* The same address, but another life: nothing in common. */
static int *volatile again;
static void reused_1(void) { again = malloc(24); again[1] = 1; free(again); }
static void reused_2(void) { int *mine = malloc(24); mine[1] = 2; free(mine); }

static int *freed;
static void freed_1(void) { freed[3] = 1; }
static void freed_2(void) { free(freed); }

static int *used_after;
static void used_after_1(void) { used_after[1] = 1; free(used_after); }
static void used_after_2(void) { int x = used_after[1]; (void)x; }

static int *grown;
static void grown_1(void) { grown[0] = 1; }
static void grown_2(void) { int *p = realloc(grown, 4000); (void)p; }

/* Stacks of threads that are over are used again. */
static void on_own_stack(void) { volatile int own[100]; for (int i = 0; i < 100; ++i) own[i] = i; (void)own[7]; }

static int *volatile lent;
static void stack_1(void) { volatile int own = 1; lent = (int *)&own; done(0); await(1); own = 3; done(2); }
static void stack_2(void) {
  await(0);
  CDRGRIND_HIDE_BEGIN;
  int *p = lent;
  CDRGRIND_HIDE_END;
  *p = 2;
  done(1);
  await(2);
}

static __thread int of_thread[3];
static int *volatile lent_tls;
static void tls_1(void) { of_thread[1] = 1; CDRGRIND_HIDE_BEGIN; lent_tls = &of_thread[1]; CDRGRIND_HIDE_END; done(3); await(4); }
static void tls_2(void) { await(3); CDRGRIND_HIDE_BEGIN; int *p = lent_tls; CDRGRIND_HIDE_END; *p = 2; done(4); }
static void own_tls(void) { of_thread[0] = 1; of_thread[2]++; }

static char *page;
static void page_1(void) { page[7] = 1; }
static void page_2(void) { munmap(page, 4096); page = mmap(page, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); page[7] = 2; }

static int printed;
static void printed_1(void) { fprintf(stderr, "%s", ""); fflush(stderr); printed = 1; }
static void printed_2(void) { fprintf(stderr, "%s", ""); fflush(stderr); printed = 2; }

static char text[32];
static void text_1(void) { snprintf(text, sizeof text, "%d", 1234); }
static void text_2(void) { snprintf(text, sizeof text, "%d", 5678); }

int main(void) {
  prepare();
  in_turn(bytes_1, bytes_2);
  in_turn(word_1, word_2);
  in_turn(bits_1, bits_2);
  in_turn(grid_1, grid_2);
  in_turn(sse_1, sse_2);
  in_turn(copied_1, copied_2);
  in_turn(columns_1, columns_2);
  in_turn(rows_1, rows_2);
  in_turn(summed_1, summed_2);
  block = malloc(40);
  in_turn(block_1, block_2);
  in_turn(reused_1, reused_2);
  freed = malloc(32);
  in_turn(freed_1, freed_2);
  used_after = malloc(48);
  in_turn(used_after_1, used_after_2);
  grown = malloc(56);
  in_turn(grown_1, grown_2);
  in_turn(on_own_stack, on_own_stack);
  together(stack_1, stack_2);
  together(tls_1, tls_2);
  in_turn(own_tls, own_tls);
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  in_turn(page_1, page_2);
  in_turn(printed_1, printed_2);
  in_turn(text_1, text_2);
  return 0;
}
