/* SPDX-License-Identifier: GPL-2.0-or-later
 * Threads that return, exit from within a call, are detached, cannot be made, or outlive main. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

sem_t done;

static void leave(void* value) { pthread_exit(value); }

static void* return_value(void* argument) { return argument; }

static void* exit_below(void* argument) {
  leave(argument);
  return NULL;
}

static void* post(void* argument) {
  sem_post(&done);
  return argument;
}

static void* detach_twice(void* argument) {
  pthread_detach(pthread_self());
  printf("second detach: %s\n", strerrorname_np(pthread_detach(pthread_self())));
  sem_post(&done);
  return argument;
}

static void join(const char* what, void* (*routine)(void*)) {
  pthread_t thread;
  void* value;
  pthread_create(&thread, NULL, routine, (void*)what);
  pthread_join(thread, &value);
  printf("%s\n", (char*)value);
}

static void detach(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, post, NULL);
  pthread_detach(thread);
  sem_wait(&done);
  pthread_create(&thread, NULL, detach_twice, NULL);
  sem_wait(&done);
}

static void fail(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)1 << 47);
  int result = pthread_create(&thread, &attributes, return_value, NULL);
  printf("create: %s\n", result ? "refused" : "done"); /* EAGAIN of the kernel, EINVAL of Valgrind */
  printf("join of myself: %s\n", strerrorname_np(pthread_join(pthread_self(), NULL)));
}

static void* outlive_main(void* argument) {
  pthread_join(*(pthread_t*)argument, NULL);
  printf("outlived main\n");
  return NULL;
}

int main(void) {
  static pthread_t self, thread;
  join("returned", return_value);
  join("exited", exit_below);
  detach();
  fail();
  self = pthread_self();
  pthread_create(&thread, NULL, outlive_main, &self);
  pthread_exit(NULL);
}
