/* SPDX-License-Identifier: GPL-2.0-or-later
 * Frames that are entered and left in other ways than call and return: tail calls, alloca, returns into the
 * middle of other frames. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

int steps;

#define FUNCTION(name) ".globl " #name "\n.type " #name ", @function\n" #name ":\n"
#define END(name) ".size " #name ", . - " #name "\n"

/* tail_first jumps to tail_second, which jumps to tail_third, which returns to tail_first's caller. */
void tail_first(void);
__asm__(".text\n" FUNCTION(tail_third)
        "  incl steps\n"
        "  ret\n" END(tail_third) FUNCTION(tail_second)
        "  incl steps\n"
        "  jmp tail_third\n" END(tail_second) FUNCTION(tail_first)
        "  incl steps\n"
        "  jmp tail_second\n" END(tail_first));

/* skip_one is called by skipped, throws its own return address away and returns to skipped's caller. */
void skipped(void);
__asm__(".text\n" FUNCTION(skip_one)
        "  addq $8, %rsp\n"
        "  ret\n" END(skip_one) FUNCTION(skipped)
        "  call skip_one\n"
        "  ud2\n" END(skipped));

size_t with_alloca(size_t bytes) {
  char* const block = alloca(bytes);
  memset(block, 'x', bytes);
  block[bytes - 1] = 0;
  return strlen(block);
}

int main(void) {
  for (int i = 0; i < 5; i++) tail_first();
  for (int i = 0; i < 5; i++) skipped();
  size_t total = 0;
  for (size_t bytes = 1; bytes < 100000; bytes *= 10) total += with_alloca(bytes);
  printf("%d steps, %zu bytes\n", steps, total);
  return 0;
}
