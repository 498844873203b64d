/* SPDX-License-Identifier: GPL-2.0-or-later
 * Blocks that a fault leaves before their end, at a known instruction and behind known accesses. Every handler
 * jumps out. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

long first, second, counter, never, zero;
char line[64] __attribute__((aligned(64)));

#define FUNCTION(name) ".globl " #name "\n.type " #name ", @function\n" #name ":\n"
#define LABEL(name) ".globl " #name "\n" #name ":\n"
#define END(name) ".size " #name ", . - " #name "\n"

/* (void* none): no exit is taken behind movaps, whose alignment is right; the second load faults. */
void aligned_then_fault(const void* none);
__asm__(".text\n" FUNCTION(aligned_then_fault)
        "  movaps line, %xmm0\n"
        "  movq line+16, %rax\n"
        LABEL(aligned_faults_here)
        "  movq (%rdi), %rdx\n"
        "  movq %rdx, never\n"
        "  ret\n" END(aligned_then_fault));

/* The fault is that of movaps itself: an exit of its block. */
void misaligned(const char* at);
__asm__(".text\n" FUNCTION(misaligned)
        "  movq first, %rax\n"
        LABEL(misaligned_faults_here)
        "  movaps (%rdi), %xmm0\n"
        "  movq %rax, never\n"
        "  ret\n" END(misaligned));

void second_half(const void* none);
__asm__(".text\n" FUNCTION(second_half)
        "  movq %rsp, first\n"
        "  movq first, %rax\n"
        "  movq %rax, second\n"
        "  addq $1, counter\n"
        LABEL(half_faults_here)
        "  movq (%rdi), %rdx\n"
        "  movq %rdx, never\n"
        "  ret\n" END(second_half));

/* Three bytes, then the end of the page. */
void repeat_to_the_edge(const char* from);
__asm__(".text\n" FUNCTION(repeat_to_the_edge)
        "  movq %rdi, %rsi\n"
        "  movl $line, %edi\n"
        "  movl $10, %ecx\n"
        LABEL(repeat_faults_here)
        "  rep movsb\n"
        "  ret\n" END(repeat_to_the_edge));

void division(void);
__asm__(".text\n" FUNCTION(division)
        "  movq first, %rax\n"
        "  movq %rax, second\n"
        "  cqto\n"
        "  movq zero, %rcx\n"
        LABEL(division_here)
        "  idivq %rcx\n"
        "  movq %rax, never\n"
        "  ret\n" END(division));

void undecodable(void);
__asm__(".text\n" FUNCTION(undecodable)
        "  movq first, %rax\n"
        LABEL(undecodable_here)
        "  ud2\n" END(undecodable));

static sigjmp_buf place;
static volatile int caught;

static void on_fault(int number) { siglongjmp(place, number); }

#define TRY(call)                                   \
  do {                                              \
    const int number = sigsetjmp(place, 1);         \
    if (number == 0) call;                          \
    if (number != 0) caught++;                      \
    printf(#call ": signal %d\n", number);          \
  } while (0)

int main(void) {
  char* const page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char* const edge = page + 4096;
  mprotect(edge, 4096, PROT_NONE);
  memcpy(edge - 3, "abc", 3);
  signal(SIGSEGV, on_fault);
  signal(SIGFPE, on_fault);
  signal(SIGILL, on_fault);
  TRY(aligned_then_fault(edge));
  TRY(misaligned(line + 8));
  TRY(second_half(edge));
  TRY(repeat_to_the_edge(edge - 3));
  TRY(division());
  TRY(undecodable());
  return caught == 6 && memcmp(line, "abc", 4) == 0 && never == 0 && counter == 1 ? 0 : 1;
}
