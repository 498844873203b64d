/* SPDX-License-Identifier: GPL-2.0-or-later
 * Handlers on an alternate stack, and coroutines, each from several places: what they share with the places between. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { kStackBytes = 64 * 1024 };

static volatile int g, seen, jumps, nests, counter, inside;
static sigjmp_buf back;

static void on_signal(int number) {
  if (number == SIGUSR2) {
    inside += 1; /* inner handler */
    return;
  }
  seen += g; /* handler */
  if (nests) {
    inside = 1;     /* before the inner handler */
    raise(SIGUSR2); /* inner signal */
  }
  if (jumps) siglongjmp(back, 1);
}

__attribute__((noinline)) static void first(void) { raise(SIGUSR1); }
__attribute__((noinline)) static void second(void) { raise(SIGUSR1); }

static void from_two_places(void) {
  first(); /* first signal */
  g = 5;   /* between */
  second(); /* second signal */
}

static void nested(void) {
  nests = 1;
  first();
  nests = 0;
}

static void left_by_a_jump(void) {
  jumps = 1;
  if (sigsetjmp(back, 1) == 0) first(); /* jumps out */
  jumps = 0;
  g = 6;    /* after the jump */
  second(); /* signal after the jump */
}

static ucontext_t outside, generator;

static void generate(void) {
  volatile int own = 0;
  for (;;) {
    own += 1;        /* own step */
    counter += own;  /* step */
    swapcontext(&generator, &outside);
    raise(SIGUSR1);  /* signal in the coroutine */
  }
}

__attribute__((noinline)) static void resume(void) { swapcontext(&outside, &generator); }

static void coroutine(void) {
  generator.uc_link = NULL;
  getcontext(&generator);
  generator.uc_stack.ss_sp = mmap(NULL, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  generator.uc_stack.ss_size = kStackBytes;
  makecontext(&generator, generate, 0);
  resume();      /* first resumption */
  counter *= 2;  /* between resumptions */
  g = 7;         /* for the coroutine */
  resume();      /* second resumption */
  printf("%d\n", counter); /* after resumptions */
}

static void install(int number, int flags) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
  sigaction(number, &action, NULL);
}

static void use_stack(void) {
  const stack_t use = {.ss_sp = malloc(kStackBytes), .ss_size = kStackBytes};
  sigaltstack(&use, NULL);
}

int main(void) {
  install(SIGUSR1, SA_ONSTACK);
  install(SIGUSR2, SA_ONSTACK);
  use_stack();
  from_two_places();
  nested();
  left_by_a_jump();
  use_stack(); /* another one */
  from_two_places();
  coroutine();
  printf("%d %d\n", seen, inside);
  return 0;
}
