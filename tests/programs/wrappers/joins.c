/* SPDX-License-Identifier: GPL-2.0-or-later
 * The ways to join a thread that give up, and the one that does not wait on a thread that has ended. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

sem_t go, told;
pid_t kernel_id;

static void* wait(void* argument) {
  sem_wait(&go);
  return argument;
}

static void* tell(void* argument) {
  kernel_id = (pid_t)syscall(SYS_gettid);
  sem_post(&told);
  return argument;
}

/* A thread that the kernel knows no more can be joined at once. */
static int join_ended(void) {
  pthread_t thread;
  sem_init(&told, 0, 0);
  pthread_create(&thread, NULL, tell, NULL);
  sem_wait(&told);
  while (syscall(SYS_tgkill, getpid(), kernel_id, 0) == 0) usleep(1000);
  return pthread_tryjoin_np(thread, NULL);
}

static void show(const char* what, int result) { printf("%s: %s\n", what, strerrorname_np(result)); }

int main(void) {
  struct timespec past = {1, 0};
  pthread_t thread;
  sem_init(&go, 0, 0);
  pthread_create(&thread, NULL, wait, NULL);
  show("try", pthread_tryjoin_np(thread, NULL));
  show("until long ago", pthread_timedjoin_np(thread, NULL, &past));
  show("until long ago", pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past));
  sem_post(&go);
  show("join", pthread_join(thread, NULL));
  show("try, of one that has ended", join_ended());
  return 0;
}
