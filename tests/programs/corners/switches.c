/* SPDX-License-Identifier: GPL-2.0-or-later
 * Two coroutines that switch to each other, upwards and downwards in the address space: on the heap, mapped, and in
 * halves of one mapping that are registered; and a handler on an alternate stack. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <valgrind/valgrind.h>

enum { kStackBytes = 64 * 1024, kSwitches = 5 };

static ucontext_t main_context, low_context, high_context;
static volatile int low_steps, high_steps, handled;

static void deeper(volatile int* steps, int depth, ucontext_t* from, ucontext_t* to) {
  volatile char ballast[64];
  ballast[depth] = 1;
  if (depth > 0) return deeper(steps, depth - 1, from, to);
  *steps += ballast[0];
  swapcontext(from, to);
}

void low_routine(void) {
  for (int i = 0; i < kSwitches; i++) deeper(&low_steps, 3, &low_context, &high_context);
}
void high_routine(void) {
  for (int i = 0; i < kSwitches; i++) deeper(&high_steps, 4, &high_context, &low_context);
}

static void make(ucontext_t* context, void* stack, void (*routine)(void)) {
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = kStackBytes;
  context->uc_link = &main_context;
  makecontext(context, routine, 0);
}

static void coroutines(const char* where, char* one, char* other) {
  char* const low = one < other ? one : other;
  make(&low_context, low, low_routine);
  make(&high_context, low == one ? other : one, high_routine);
  low_steps = high_steps = 0;
  swapcontext(&main_context, &low_context);
  printf("%s: %d steps below, %d above\n", where, low_steps, high_steps);
}

void on_signal(int number) {
  volatile char ballast[100];
  ballast[0] = (char)number;
  handled += ballast[0] == SIGUSR1;
}

static void alternate(void) {
  static char stack[kStackBytes];
  const stack_t use = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  sigaltstack(&use, NULL);
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 3; i++) raise(SIGUSR1);
  printf("%d signals\n", handled);
}

static char* map_bytes(size_t bytes) {
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  char* one = malloc(kStackBytes);
  char* other = malloc(kStackBytes);
  coroutines("heap", one, other);
  free(one);
  free(other);
  one = map_bytes(kStackBytes);
  other = map_bytes(kStackBytes);
  coroutines("mapped", one, other);
  munmap(one, kStackBytes);
  munmap(other, kStackBytes);
  one = map_bytes(2 * kStackBytes);
  other = one + kStackBytes;
  VALGRIND_STACK_REGISTER(one, other);
  VALGRIND_STACK_REGISTER(other, other + kStackBytes);
  coroutines("registered", one, other);
  alternate();
  return 0;
}
