/* SPDX-License-Identifier: GPL-2.0-or-later
 * Atomic instructions: lock xadd, lock cmpxchg of every width, xchg, lock with a memory operand. */
static long counter;
static int word;
static short half;
static char byte;
static long pair[2] __attribute__((aligned(16)));

static void exchange_pair(void) {
  long low = 1, high = 2;
  __asm__ volatile("lock cmpxchg16b %0" : "+m"(pair), "+a"(low), "+d"(high) : "b"(3L), "c"(4L) : "cc");
  __asm__ volatile("lock cmpxchg16b %0" : "+m"(pair), "+a"(low), "+d"(high) : "b"(5L), "c"(6L) : "cc");
}

int main(void) {
  for (int i = 0; i < 10; i++) __atomic_fetch_add(&counter, i, __ATOMIC_SEQ_CST);
  int seen = 1; /* wrong the first time */
  while (!__atomic_compare_exchange_n(&word, &seen, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) continue;
  half = __atomic_exchange_n(&half, 3, __ATOMIC_SEQ_CST);
  __atomic_fetch_or(&byte, 5, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&half, 2, __ATOMIC_SEQ_CST);
  __asm__ volatile("cmpxchgl %1, %0" : "+m"(word) : "r"(9), "a"(7) : "cc");
  __asm__ volatile("xaddb %b0, %1" : "=q"(seen), "+m"(byte) : "0"(1) : "cc");
  exchange_pair();
  return counter == 45 && word == 9 && byte == 6 && half == 2 && pair[0] == 5 ? 0 : 1;
}
