/* SPDX-License-Identifier: GPL-2.0-or-later
 * Signals a thousand times a second, in the way that is asked: signals WAY. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { kEnough = 25 }; /* Valgrind looks for signals every 100,000 blocks */

static volatile sig_atomic_t caught, nested, deepest;
static volatile int work[64];
static char alternate_stack[64 * 1024];

static int compute(void) {
  for (int i = 1; i < 64; i++) work[i] = work[i - 1] + i;
  return work[63];
}

static int below(int depth) { return depth > 0 ? below(depth - 1) + 1 : compute(); }

static void count(int number) {
  (void)number;
  caught++;
  below(3);
}

/* SIGUSR1 inside SIGALRM inside SIGUSR2 … */
static void count_nested(int number) {
  nested++;
  if (nested > deepest) deepest = nested;
  caught++;
  if (number == SIGALRM) raise(SIGUSR1);
  if (number == SIGUSR1) raise(SIGUSR2);
  below(2);
  nested--;
}

static sigjmp_buf place;
static volatile sig_atomic_t ready;

static void jump(int number) {
  (void)number;
  caught++;
  if (!ready) return;
  below(2);
  siglongjmp(place, 1);
}

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, NULL);
}

static void interval(long microseconds) {
  const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

static void way_plain(void) {
  handle(SIGALRM, count, SA_RESTART);
  interval(1000);
  while (caught < kEnough) below(5);
}

static void way_stack(void) {
  const stack_t alternate = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
  sigaltstack(&alternate, NULL);
  handle(SIGALRM, count, SA_ONSTACK | SA_RESTART);
  interval(1000);
  while (caught < kEnough) below(5);
}

static void way_nested(int flags) {
  const stack_t alternate = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
  if (flags) sigaltstack(&alternate, NULL);
  handle(SIGALRM, count_nested, SA_RESTART | flags);
  handle(SIGUSR1, count_nested, SA_RESTART | SA_NODEFER | flags);
  handle(SIGUSR2, count_nested, SA_RESTART | flags);
  interval(1000);
  while (caught < kEnough) below(5);
  interval(0);
  printf("at least three deep: %d\n", deepest >= 3);
}

/* Out of the handler, over the frames that it interrupted. */
static void way_jump(void) {
  handle(SIGALRM, jump, 0);
  interval(1000);
  volatile int jumps = 0;
  while (jumps < kEnough) {
    if (sigsetjmp(place, 1) == 0) {
      ready = 1;
      for (;;) below(5);
    }
    ready = 0;
    jumps++;
  }
}

static void way_timer(void) {
  timer_t timer;
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  const struct itimerspec spec = {{0, 1000000}, {0, 1000000}};
  handle(SIGRTMIN, count, SA_RESTART);
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &spec, NULL);
  while (caught < kEnough) below(5);
  timer_delete(timer);
}

static void* write_slowly(void* end) {
  for (int i = 0; i < 4; i++) {
    usleep(30000);
    if (write(*(int*)end, "x", 1) != 1) abort();
  }
  return NULL;
}

/* A read that signals interrupt: with SA_RESTART it goes on, without it fails. */
static void way_read(int flags) {
  int ends[2];
  char byte;
  int bytes = 0, interrupted = 0;
  pthread_t writer;
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  handle(SIGALRM, count, flags);
  if (pipe(ends) != 0) abort();
  pthread_sigmask(SIG_BLOCK, &alarm, NULL);
  pthread_create(&writer, NULL, write_slowly, &ends[1]);
  pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
  interval(1000);
  while (bytes < 4) {
    const ssize_t n = read(ends[0], &byte, 1);
    if (n == 1)
      bytes++;
    else if (errno == EINTR)
      interrupted++;
    else
      abort();
  }
  interval(0);
  pthread_join(writer, NULL);
  printf("%d bytes, interrupted: %d\n", bytes, interrupted > 0);
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "plain") == 0) way_plain();
  if (strcmp(way, "stack") == 0) way_stack();
  if (strcmp(way, "nested") == 0) way_nested(0);
  if (strcmp(way, "nested-stack") == 0) way_nested(SA_ONSTACK);
  if (strcmp(way, "jump") == 0) way_jump();
  if (strcmp(way, "timer") == 0) way_timer();
  if (strcmp(way, "restart") == 0) way_read(SA_RESTART);
  if (strcmp(way, "interrupt") == 0) way_read(0);
  interval(0);
  printf("enough: %d\n", caught >= kEnough || strcmp(way, "restart") == 0 || strcmp(way, "interrupt") == 0);
  return 0;
}
