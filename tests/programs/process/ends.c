/* SPDX-License-Identifier: GPL-2.0-or-later
 * What a trace without room, or without an end, is made of: ends WAY. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals;
static unsigned numbers[4096];

static void count(int number) { signals += number == SIGXFSZ; }

/* Accesses that do not compress: a trace of some hundred kB. */
static unsigned jump_about(int times) {
  unsigned x = 12345;
  for (int i = 0; i < times; i++) {
    x = x * 1664525u + 1013904223u;
    numbers[x >> 20] += x;
  }
  return x;
}

static void lower_limit(void) {
  const struct rlimit limit = {60 * 1024, 60 * 1024};
  setrlimit(RLIMIT_FSIZE, &limit);
}

/* The folder of the traces gets another name before a child begins its own. */
static void moved(const char* from, const char* to) {
  int status = -1;
  if (rename(from, to) != 0) abort();
  const pid_t child = fork();
  if (child == 0) {
    jump_about(10000);
    _exit(0);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  printf("moved: child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void blocks(long millions) {
  volatile long turns = 0;
  while (turns < millions * 1000000) turns++; /* a block a turn, or more */
  puts("done");
  fflush(stdout);
  for (;;) pause();
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  signal(SIGXFSZ, count);
  if (strcmp(way, "moved") == 0 && argc > 3) return moved(argv[2], argv[3]), 0;
  if (strcmp(way, "blocks") == 0 && argc > 2) blocks(atol(argv[2]));
  if (strcmp(way, "lowered") == 0) lower_limit();
  jump_about(200000);
  printf("%s: %d signals\n", way, (int)signals);
  return 0;
}
