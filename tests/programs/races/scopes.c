/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A race that no code of the program has a part in: both threads are functions of the C library. And, unless there is
 * an argument, one of the program's own, later. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

static char text[] = "no function of the program touches this";
static int own;

static void *write_own(void *unused) {
  own = 1;
  return unused;
}

static void two_threads(void *(*run)(void *), void *argument) {
  pthread_t a, b;
  pthread_create(&a, 0, run, argument);
  pthread_create(&b, 0, run, argument);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

int main(int argc, char **argv) {
  (void)argv;
  two_threads((void *(*)(void *))strfry, text);
  if (argc == 1) two_threads(write_own, 0);
  return 0;
}
