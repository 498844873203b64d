/* SPDX-License-Identifier: GPL-2.0-or-later
 * Handlers that jump out over several frames, and handlers that return. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf place;
static volatile sig_atomic_t returned;

static void jump_from_below(int number, int depth) {
  if (depth > 0) jump_from_below(number, depth - 1);
  if (depth == 0) siglongjmp(place, number);
}
static void jump_out(int number) { jump_from_below(number, 3); }
static void return_from(int number) { returned += number == SIGUSR2; }

void raise_from_below(int depth) {
  if (depth > 0)
    raise_from_below(depth - 1);
  else
    raise(SIGUSR1);
}

int main(void) {
  volatile int jumps = 0;
  signal(SIGUSR1, jump_out);
  signal(SIGUSR2, return_from);
  for (volatile int i = 0; i < 20; i++) {
    if (sigsetjmp(place, 1) == 0)
      raise_from_below(5);
    else
      jumps++;
    raise(SIGUSR2);
  }
  printf("%d jumps, %d returns\n", jumps, (int)returned);
  return 0;
}
