/* SPDX-License-Identifier: GPL-2.0-or-later
 * radix_sort -n KEYS -r ROUNDS -t THREADS: numbers of 32 bits sorted by their four bytes, least first: every thread
 * counts the digits of its part, the counts of all give each thread its places, and it moves its part there; a
 * barrier after each step. Irregular: data decide addresses. Right if the numbers are in order, and their sum and
 * exclusive or are what they were. */
#include "tests/bench/programs/kernel.h"

enum { digits = 256 };

static uint32_t *keys, *moved;
static size_t counts[most_threads][digits];

static void fill(size_t begin, size_t end, long round) {
  for (size_t i = begin; i < end; i++) keys[i] = scrambled((uint32_t)i + (uint32_t)round * UINT32_C(0x9e3779b9));
}

static void count(const uint32_t* from, size_t begin, size_t end, int shift, size_t* to) {
  memset(to, 0, digits * sizeof *to);
  for (size_t i = begin; i < end; i++) to[from[i] >> shift & (digits - 1)]++;
}

/* Where the thread's first key of each digit goes: behind all smaller digits, and equal ones of threads before. */
static void find_places(size_t* places, int thread) {
  size_t place = 0;
  for (size_t digit = 0; digit < digits; digit++)
    for (int t = 0; t < kernel.threads; t++) {
      if (t == thread) places[digit] = place;
      place += counts[t][digit];
    }
}

static void move(const uint32_t* from, uint32_t* to, size_t begin, size_t end, int shift, size_t* places) {
  for (size_t i = begin; i < end; i++) to[places[from[i] >> shift & (digits - 1)]++] = from[i];
}

static void sort(int thread) {
  const size_t begin = part(kernel.size, thread), end = part(kernel.size, thread + 1);
  size_t places[digits];
  for (long round = 0; round < kernel.rounds; round++) {
    fill(begin, end, round);
    for (int shift = 0; shift < 32; shift += 8) {
      const uint32_t* const from = shift % 16 ? moved : keys;
      count(from, begin, end, shift, counts[thread]);
      wait_for_all();
      find_places(places, thread);
      move(from, shift % 16 ? keys : moved, begin, end, shift, places);
      wait_for_all();
    }
  }
}

static int is_right(void) {
  uint64_t sum = 0;
  uint32_t bits = 0;
  for (size_t i = 0; i < kernel.size; i++) {
    if (i > 0 && keys[i] < keys[i - 1]) return 0;
    sum += keys[i];
    bits ^= keys[i];
  }
  fill(0, kernel.size, kernel.rounds - 1);
  for (size_t i = 0; i < kernel.size; i++) sum -= keys[i], bits ^= keys[i];
  return sum == 0 && bits == 0;
}

int main(int argc, char** argv) {
  begin(argc, argv, "radix_sort", 262144);
  keys = array(kernel.size, sizeof *keys);
  moved = array(kernel.size, sizeof *moved);
  run_team(sort);
  const uint64_t result = checksum(keys, kernel.size * sizeof *keys);
  const int right = is_right();
  free(moved);
  free(keys);
  return finish(right, result);
}
