/* SPDX-License-Identifier: GPL-2.0-or-later
 * Instructions with a rep prefix, also with a count of 0 and running downwards. */
static char from[100], to[100];

static void move_bytes(long count) {
  void *source = from, *target = to;
  __asm__ volatile("rep movsb" : "+c"(count), "+S"(source), "+D"(target) : : "memory");
}

static void move_words_down(long count) {
  void *source = from + 80, *target = to + 80;
  __asm__ volatile("std; rep movsq; cld" : "+c"(count), "+S"(source), "+D"(target) : : "memory");
}

static void fill(long count, int byte) {
  void* target = from;
  __asm__ volatile("rep stosb" : "+c"(count), "+D"(target) : "a"(byte) : "memory");
}

/* How many of the first `count` bytes were looked at: up to the first that differs. */
static long compare(long count) {
  const void *one = from, *other = to;
  long left = count;
  __asm__ volatile("repe cmpsb" : "+c"(left), "+S"(one), "+D"(other) : : "memory", "cc");
  return count - left;
}

static long find(long count, int byte) {
  const void* at = to;
  long left = count;
  __asm__ volatile("repne scasb" : "+c"(left), "+D"(at) : "a"(byte) : "memory", "cc");
  return count - left;
}

int main(void) {
  fill(100, 'x');
  fill(0, 'y');
  move_bytes(60);
  move_bytes(0);
  move_words_down(5);
  to[70] = 'z';
  const int right = compare(100) == 71 && compare(0) == 0 && find(100, 'z') == 71 && find(0, 'z') == 0;
  return right ? 0 : 1;
}
