/* SPDX-License-Identifier: GPL-2.0-or-later
 * measure COMMAND ARGUMENT...: runs it and writes, as the last line of standard error, what it took: processor
 * time and time by the clock in milliseconds, the largest resident set in kilobytes. Its status is the command's. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long milliseconds(struct timeval t) { return t.tv_sec * 1000 + t.tv_usec / 1000; }

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const long start = now();
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    _exit(127);
  }
  int status;
  struct rusage used;
  if (child < 0 || wait4(child, &status, 0, &used) != child) return perror(argv[1]), 1;
  fprintf(stderr, "%ld %ld %ld\n", milliseconds(used.ru_utime) + milliseconds(used.ru_stime), now() - start, used.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
