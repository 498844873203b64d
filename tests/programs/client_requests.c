/* SPDX-License-Identifier: GPL-2.0-or-later
 * Every request of <cdrgrind/cdrgrind.h>. Compiled as strict C89; client_requests_cxx.cc is the same in C++. */
#include <cdrgrind/cdrgrind.h>
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t seen = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t hidden = PTHREAD_MUTEX_INITIALIZER;
int queue;

static void lock(pthread_mutex_t* mutex) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

int main(void) {
  CDRGRIND_MARK("first");
  if (queue == 0)
    CDRGRIND_HAPPENS_BEFORE(&queue);
  else
    CDRGRIND_HAPPENS_AFTER(&queue);
  CDRGRIND_HAPPENS_AFTER(&queue);
  lock(&seen);
  CDRGRIND_HIDE_BEGIN;
  lock(&hidden);
  CDRGRIND_HIDE_END;
  CDRGRIND_STOP_RECORDING;
  puts("not recorded");
  CDRGRIND_START_RECORDING;
  CDRGRIND_MARK("last");
  return 0;
}
