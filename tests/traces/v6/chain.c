/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As that of version 2, and not the same program as that of version 4. */
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static long shared;

static void start(void) { shared = 7; }

static void* work(void* mine) {
  pthread_once(&once, start);
  pthread_rwlock_rdlock(&lock);
  const long seen = shared;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  shared = seen + 1;
  pthread_rwlock_unlock(&lock);
  return mine;
}

int main(void) {
  pthread_t thread;
  char* const args[] = {"true", 0};
  work(0);
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  execve("/nowhere/true", args, 0);
  execve("/bin/true", args, 0);
  return 1;
}
