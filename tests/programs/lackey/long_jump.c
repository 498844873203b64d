/* SPDX-License-Identifier: GPL-2.0-or-later
 * longjmp over many frames, and out of the handler of a signal. */
#include <setjmp.h>
#include <signal.h>

static jmp_buf place;
static sigjmp_buf signal_place;

static int leap(int frames) {
  volatile char ballast[100];
  ballast[frames] = 1;
  if (frames > 0) return leap(frames - 1) + ballast[frames];
  if (ballast[0]) longjmp(place, 7);
  return 0;
}

static void on_signal(int number) { siglongjmp(signal_place, number); }

int main(void) {
  volatile int jumps = 0;
  for (volatile int frames = 0; frames < 20; frames++) {
    if (setjmp(place) == 7)
      jumps++;
    else
      leap(frames);
  }
  signal(SIGUSR1, on_signal);
  for (volatile int i = 0; i < 5; i++) {
    if (sigsetjmp(signal_place, 1) == 0)
      raise(SIGUSR1);
    else
      jumps++;
  }
  return jumps == 25 ? 0 : 1;
}
