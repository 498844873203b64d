/* SPDX-License-Identifier: GPL-2.0-or-later
 * A static program takes no preload: it runs as ever, and nothing of what it does here is seen. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* argument) {
  pthread_mutex_lock(&lock);
  free(malloc(1007));
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  run(NULL);
  pthread_join(thread, NULL);
  puts("static");
  return 3;
}
