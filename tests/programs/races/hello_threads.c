/* SPDX-License-Identifier: GPL-2.0-or-later
 * Nothing races here but the C library with itself. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *greet(void *name) {
  time_t now = time(0);
  struct tm parts;
  char *text = malloc(100);
  localtime_r(&now, &parts);
  snprintf(text, 100, "hello %s, %s\n", (char *)name, parts.tm_year > 100 ? "now" : "then");
  fputs(text, stdout);
  free(text);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, greet, "a");
  pthread_create(&b, 0, greet, "b");
  greet("main");
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
