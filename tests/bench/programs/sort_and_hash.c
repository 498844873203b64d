/* SPDX-License-Identifier: GPL-2.0-or-later
 * sort_and_hash -n NUMBERS -r ROUNDS: quicksort of random numbers, and an open hash table that counts how often each
 * occurs. Irregular: data decide branches and addresses. Right if both find the same numbers. */
#include "tests/bench/programs/kernel.h"

struct slot {
  uint32_t number;
  uint32_t count; /* 0: free */
};

static uint32_t random_state = 1;

static uint32_t random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

static void swap(uint32_t* a, uint32_t* b) {
  const uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

static void sort(uint32_t* begin, uint32_t* end) {
  while (end - begin > 1) {
    const uint32_t pivot = begin[(end - begin) / 2];
    uint32_t *low = begin, *high = end - 1;
    while (low <= high) {
      while (*low < pivot) low++;
      while (*high > pivot) high--;
      if (low <= high) swap(low++, high--);
    }
    sort(begin, high + 1);
    begin = low;
  }
}

static size_t distinct_sorted(const uint32_t* numbers, size_t n) {
  size_t distinct = n > 0;
  for (size_t i = 1; i < n; i++) {
    if (numbers[i] < numbers[i - 1]) return 0; /* not sorted */
    distinct += numbers[i] != numbers[i - 1];
  }
  return distinct;
}

/* Slots are a power of two, at least twice as many as numbers. */
static size_t distinct_hashed(const uint32_t* numbers, size_t n, struct slot* slots, size_t slot_count) {
  size_t distinct = 0;
  memset(slots, 0, slot_count * sizeof *slots);
  for (size_t i = 0; i < n; i++) {
    size_t at = (numbers[i] * UINT32_C(2654435761)) & (slot_count - 1);
    while (slots[at].count && slots[at].number != numbers[i]) at = (at + 1) & (slot_count - 1);
    distinct += slots[at].count == 0;
    slots[at].number = numbers[i];
    slots[at].count++;
  }
  return distinct;
}

int main(int argc, char** argv) {
  begin_alone(argc, argv, "sort_and_hash", 100000);
  const size_t n = kernel.size;
  size_t slot_count = 2;
  while (slot_count < 2 * n) slot_count *= 2;
  uint32_t* const numbers = array(n, sizeof *numbers);
  struct slot* const slots = array(slot_count, sizeof *slots);
  int right = 1;
  for (long round = 0; round < kernel.rounds; round++) {
    for (size_t i = 0; i < n; i++) numbers[i] = random_number() % (uint32_t)n;
    const size_t hashed = distinct_hashed(numbers, n, slots, slot_count);
    sort(numbers, numbers + n);
    right &= distinct_sorted(numbers, n) == hashed;
  }
  const uint64_t result = checksum(numbers, n * sizeof *numbers);
  free(slots);
  free(numbers);
  return finish(right, result);
}
