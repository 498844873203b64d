/* SPDX-License-Identifier: GPL-2.0-or-later
 * Races on variables of frames: of main while it waits in a call, of a thread while it waits in one, of a thread that
 * races with another one itself, of a caller's caller. Each is named in the comment of the line that declares it. */
#include <pthread.h>

struct pair {
  long left, right;
};

static void* add(void* to) {
  ++*(volatile long*)to;
  return 0;
}

static void two_add(void* to) {
  pthread_t a, b;
  pthread_create(&a, 0, add, to);
  pthread_create(&b, 0, add, to);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

static void waits(void) {
  volatile long counter = 0; /* counter of waits */
  two_add((void*)&counter);
}

static void members(void) {
  volatile struct pair pairs[3] = {{0, 0}}; /* pairs[2].right of members */
  two_add((void*)&pairs[2].right);
}

static void deeper(long* of_caller) { two_add(of_caller); }
static void calls(void) {
  long far = 1; /* far of calls */
  deeper(&far);
}

static void* in_thread(void* unused) {
  volatile long mine = 0; /* mine of in_thread */
  pthread_t a;
  pthread_create(&a, 0, add, (void*)&mine);
  ++mine;
  pthread_join(a, 0);
  return unused;
}

static void* waits_in_thread(void* unused) {
  volatile long low = 0; /* low of waits_in_thread */
  two_add((void*)&low);
  return unused;
}

/* The stack pointer is aligned: how far it lies from the frame's beginning is not constant. */
static void aligned(void) {
  _Alignas(64) volatile long line[8] = {0};
  volatile long beside = 0; /* beside of aligned */
  two_add((void*)&beside);
  line[1] = beside;
}

int main(void) {
  pthread_t t;
  aligned();
  waits();
  members();
  calls();
  pthread_create(&t, 0, in_thread, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, waits_in_thread, 0);
  pthread_join(t, 0);
  return 0;
}
