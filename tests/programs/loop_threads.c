/* SPDX-License-Identifier: GPL-2.0-or-later
 * Three threads that do the same, one that does something else, and one in which only libc does anything: for the loop
 * nests of a trace. */
#include <pthread.h>
#include <stdlib.h>

static void* fill(void* cells) {
  for (int i = 0; i < 6; i++)
    ((int*)cells)[i] = i;
  return NULL;
}

static void* add(void* cells) {
  int* sum = cells;
  for (int i = 1; i < 6; i++)
    sum[0] += sum[i];
  return NULL;
}

int main(void) {
  static int cells[4][6];
  static void* (*const what[])(void*) = {fill, add, fill, fill, (void* (*)(void*))(void (*)(void))free};
  for (int i = 0; i < 5; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, what[i], i == 4 ? NULL : cells[i]);
    pthread_join(thread, NULL);
  }
  return 0;
}
