// SPDX-License-Identifier: GPL-2.0-or-later
// An interpreter with a computed jump behind the code of each instruction. One of these has a loop of its own.
#include <stdio.h>

enum { kAdd, kSubtract, kDouble, kNegate, kStore, kFill, kStop, kLength = 600 };

static unsigned char program[kLength];
static unsigned stored[kLength], filled[100], result;

__attribute__((noinline)) static void interpret(const unsigned char* at) {
  static void* const code[] = {&&add, &&subtract, &&twice, &&negate, &&store, &&fill, &&stop};
  unsigned value = 1, count = 0;
#define NEXT goto* code[*at++]
  NEXT;
add:
  value += 7;
  NEXT;
subtract:
  value -= 5;
  NEXT;
twice:
  value *= 2;
  NEXT;
negate:
  value = -value;
  NEXT;
store:
  stored[count++] = value;
  NEXT;
fill:
  for (unsigned i = 0; i < 100; i++) filled[i] = value + i;
  NEXT;
stop:
  result = value;
#undef NEXT
}

int main(void) {
  for (unsigned i = 0, x = 1; i + 1 < kLength; i++, x = x * 1103515245u + 12345u) program[i] = (x >> 16) % kStop;
  program[kLength - 1] = kStop;
  interpret(program);
  return printf("%u %u %u\n", result, stored[9], filled[9]) < 0;
}
