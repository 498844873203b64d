/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program without a library: its object files, with several kinds of debug information, are seeds. */
struct point {
  int x, y : 3;
  struct point* next;
};
union word {
  long whole;
  char bytes[8];
};
static struct point grid[2][3];
static _Thread_local union word tls;
int (*table[4])(int);

static inline __attribute__((always_inline)) int half(int n) { return n / 2; }

static __attribute__((noinline)) int sum(const struct point* from, int n) {
  int total = 0;
  while (n > 0) {
    total += half(from->x) + from->y;
    from = from->next;
    n -= 1;
  }
  return total;
}

int work(int n) {
  grid[1][2].next = &grid[0][1];
  tls.whole += n;
  if (n > 100) return half(n) + sum(&grid[1][2], 2);
  return table[n & 3] ? table[n & 3](n) : sum(grid[0], n);
}
