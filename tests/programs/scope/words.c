// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads count the words of a text each: what a program looks like on its first day.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct {
  long words, letters;
} counters[2];
static const char *texts[2] = {"the quick brown fox", "jumps over the lazy dog again"};
static char copy[2][64];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *count(void *arg) {
  const int n = *(const int *)arg;
  strcpy(copy[n], texts[n]);
  for (char *p = copy[n]; *p; ++p) {
    if (*p == ' ') ++counters[n].words;
    ++counters[n].letters;
  }
  for (int i = 0; i < 9; ++i) {
    pthread_mutex_lock(&lock);
    ++total;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

__attribute__((constructor)) static void before_main(void) { total = 100; }

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, count, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  printf("%ld words, %ld\n", counters[0].words + counters[1].words, total);
  return 0;
}
