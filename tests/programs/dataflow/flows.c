/* SPDX-License-Identifier: GPL-2.0-or-later
 * Functions of one superblock each, in assembly, called once: what goes into what is in flows.expect. */

#define FUNCTION(name, code)                                        \
  __asm__(".text\n.globl " #name "\n.type " #name ", @function\n"    \
          #name ":\n" code "\n" #name "_end:\n.size " #name ", .-" #name "\n"); \
  extern void name(void* a, void* b, long c)

/* rdi: a, rsi: b, rdx: c */
FUNCTION(int_add, "mov (%rdi),%rax; add %rdx,%rax; mov %rax,8(%rdi); ret");
FUNCTION(int_clear, "xor %eax,%eax; sub %ecx,%ecx; mov %rax,(%rdi); ret");
FUNCTION(int_narrow, "mov (%rdi),%eax; lea (%rax,%rdx,4),%rcx; mov (%rsi,%rcx,8),%r8; ret");
FUNCTION(int_exchange, "xchg %rdi,%rsi; mov %rdi,%rax; ret");
FUNCTION(part_byte, "mov (%rdi),%al; mov %rax,(%rsi); ret");
FUNCTION(part_high, "mov %dl,%ah; mov %ax,(%rsi); ret");
FUNCTION(part_word, "mov (%rdi),%dx; mov %edx,(%rsi); ret");
FUNCTION(part_narrow, "mov %edx,%eax; mov %rax,(%rsi); ret");
FUNCTION(flag_branch, "cmp %rsi,(%rdi); jb 1f; mov %rdx,%rax; 1: ret");
FUNCTION(flag_out, "add %rdx,%rsi; ret");
FUNCTION(flag_in, "setb %al; ret");
FUNCTION(flag_move, "test %edx,%edx; cmovne (%rdi),%rsi; ret");
FUNCTION(flag_carry, "add %rdx,%rdi; adc $0,%rsi; ret");
FUNCTION(sse_lanes, "movsd (%rdi),%xmm0; movhpd (%rsi),%xmm0; movaps %xmm0,%xmm1; ret");
FUNCTION(sse_scalar, "cvtsi2sd %rdx,%xmm2; addsd (%rdi),%xmm2; movsd %xmm2,(%rdi); ret");
FUNCTION(sse_clear, "pxor %xmm0,%xmm0; movups %xmm0,(%rdi); ret");
FUNCTION(sse_part, "movups (%rdi),%xmm3; movd %xmm3,%eax; ret");
FUNCTION(x87_add, "fldl (%rdi); faddl (%rsi); fstpl (%rdi); ret");
FUNCTION(string_copy, "mov %rdx,%rcx; xchg %rdi,%rsi; cld; rep movsb; ret");
FUNCTION(string_store, "mov %rdx,%rax; stosq; ret");
FUNCTION(atomic_add, "lock xadd %rdx,(%rdi); mov %rdx,%rax; ret");
FUNCTION(atomic_cas, "mov %rdx,%rax; lock cmpxchg %rsi,(%rdi); sete %cl; ret");
FUNCTION(atomic_swap, "xchg %rdx,(%rdi); ret");
FUNCTION(target_jump, "jmp *(%rdi)");
FUNCTION(outside_time, "rdtsc; ret");

static long words[8] __attribute__((aligned(16)));
static long others[8] __attribute__((aligned(16)));

static void back(void) {}

int main(void) {
  int_add(words, others, 1);
  int_clear(words, others, 1);
  int_narrow(words, others, 1);
  int_exchange(words, others, 1);
  part_byte(words, others, 1);
  part_high(words, others, 1);
  part_word(words, others, 1);
  part_narrow(words, others, 1);
  flag_branch(words, others, 1);
  flag_out(words, others, 1);
  flag_in(words, others, 1);
  flag_move(words, others, 1);
  flag_carry(words, others, 1);
  sse_lanes(words, others, 1);
  sse_scalar(words, others, 1);
  sse_clear(words, others, 1);
  sse_part(words, others, 1);
  x87_add(words, others, 1);
  string_copy(words, others, 1);
  string_store(words, others, 1);
  atomic_add(words, others, 1);
  atomic_cas(words, others, 1);
  atomic_swap(words, others, 1);
  words[0] = (long)back;
  target_jump(words, others, 1);
  outside_time(words, others, 1);
  return 0;
}
