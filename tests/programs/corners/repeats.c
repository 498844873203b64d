/* SPDX-License-Identifier: GPL-2.0-or-later
 * rep with a count of 0 and of 3; repe that ends early. */
#include <stdio.h>

char from[16] = "abcdefgh", to[16];

#define FUNCTION(name) ".globl " #name "\n.type " #name ", @function\n" #name ":\n"
#define LABEL(name) ".globl " #name "\n" #name ":\n"
#define END(name) ".size " #name ", . - " #name "\n"

/* The count is not known to the translator. */
void move_none(long count);
__asm__(".text\n" FUNCTION(move_none)
        "  movq %rdi, %rcx\n"
        "  movl $from, %esi\n"
        "  movl $to, %edi\n"
        LABEL(move_none_repeat)
        "  rep movsb\n"
        LABEL(move_none_behind)
        "  ret\n" END(move_none));

void move_three(long count);
__asm__(".text\n" FUNCTION(move_three)
        "  movq %rdi, %rcx\n"
        "  movl $from, %esi\n"
        "  movl $to, %edi\n"
        LABEL(move_three_repeat)
        "  rep movsb\n"
        LABEL(move_three_behind)
        "  ret\n" END(move_three));

/* Three bytes are equal, the fourth is not. */
long compare(void);
__asm__(".text\n" FUNCTION(compare)
        "  movl $from, %esi\n"
        "  movl $to, %edi\n"
        "  movl $16, %ecx\n"
        LABEL(compare_repeat)
        "  repe cmpsb\n"
        LABEL(compare_behind)
        "  movq %rcx, %rax\n"
        "  ret\n" END(compare));

int main(void) {
  move_none(0);
  printf("'%s'\n", to);
  move_three(3);
  printf("'%s'\n", to);
  printf("%ld left\n", compare());
  return 0;
}
