/* SPDX-License-Identifier: GPL-2.0-or-later
 * pthread_once: first and later calls, a routine that calls it again for another control, a routine that ends
 * its thread, and one in which the thread is cancelled: then the next caller runs it. */
#include <pthread.h>
#include <stdio.h>

pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
pthread_once_t left = PTHREAD_ONCE_INIT, cancelled = PTHREAD_ONCE_INIT;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int runs, leaves;

static void run_inner(void) {
  pthread_mutex_lock(&lock);
  runs++;
  pthread_mutex_unlock(&lock);
}

static void run_outer(void) {
  pthread_once(&inner, run_inner);
  runs++;
}

static void leave_thread(void) {
  if (leaves++ == 0) pthread_exit("left");
}

static void cancel_thread(void) {
  if (leaves++ == 2) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
}

static void* second(void* argument) {
  pthread_once(&outer, run_outer);
  pthread_once(&inner, run_inner);
  return argument;
}

static void* third(void* argument) {
  pthread_once(&left, leave_thread);
  return argument;
}

static void* fourth(void* argument) {
  pthread_once(&cancelled, cancel_thread);
  return argument;
}

static void* run(void* (*routine)(void*)) {
  pthread_t thread;
  void* value;
  pthread_create(&thread, NULL, routine, NULL);
  pthread_join(thread, &value);
  return value;
}

int main(void) {
  pthread_once(&outer, run_outer);
  pthread_once(&outer, run_outer);
  run(second);
  printf("runs %d\n", runs);
  printf("%s\n", (char*)run(third));
  pthread_once(&left, leave_thread);
  printf("cancelled: %d\n", run(fourth) == PTHREAD_CANCELED);
  pthread_once(&cancelled, cancel_thread);
  printf("leaves %d\n", leaves);
  return 0;
}
