// SPDX-License-Identifier: GPL-2.0-or-later
// A race on a text decides, by strcmp, whether another variable is stored to: that race follows from the first.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static char text[16];
static int after;

static void* writer(void* unused) {
  strcpy(text, "go");
  after = 1;
  return unused;
}

static void* reader(void* unused) {
  usleep(100000);
  if (strcmp(text, "go") == 0) after = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return after != 2;
}
