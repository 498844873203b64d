/* SPDX-License-Identifier: GPL-2.0-or-later
 * Ends in the way that is asked: deaths WAY. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int* volatile nowhere;

void last_words(void) { printf("last words\n"), fflush(stdout); }

static void* in_a_thread(void* way) {
  last_words();
  if (strcmp(way, "thread-segv") == 0) *nowhere = 1;
  if (strcmp(way, "thread-exit") == 0) exit(4);
  return NULL;
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (strncmp(way, "thread-", 7) == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_a_thread, argv[1]);
    pthread_join(thread, NULL);
  }
  last_words();
  if (strcmp(way, "segv") == 0) *nowhere = 1;
  if (strcmp(way, "abort") == 0) abort();
  if (strcmp(way, "term") == 0) raise(SIGTERM);
  if (strcmp(way, "wait") == 0) pause();
  if (strcmp(way, "exit") == 0) exit(3);
  if (strcmp(way, "_exit") == 0) _exit(3);
  return 0;
}
