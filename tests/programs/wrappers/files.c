/* SPDX-License-Identifier: GPL-2.0-or-later
 * Every operation on the locks of FILEs, which are recursive, on one that is nothing but its lock: so it has a name. What
 * calls of stdio lock for themselves is no operation. */
#include <pthread.h>
#include <stdio.h>

FILE file;
long lock[2]; /* as the C library has it, free */
int count;

static void* refuse(void* argument) {
  printf("trylock of another's: %s\n", ftrylockfile(&file) ? "failed" : "done");
  return argument;
}

static void* add(void* argument) {
  if (ftrylockfile(&file)) return NULL;
  count++;
  flockfile(&file);
  count++;
  funlockfile(&file);
  funlockfile(&file);
  return argument;
}

int main(void) {
  pthread_t thread;
  file._lock = (void*)lock;
  flockfile(&file);
  pthread_create(&thread, NULL, refuse, NULL);
  pthread_join(thread, NULL);
  funlockfile(&file);
  pthread_create(&thread, NULL, add, NULL);
  pthread_join(thread, NULL);
  printf("count %d\n", count);
  return 0;
}
