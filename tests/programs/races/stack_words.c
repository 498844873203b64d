/* SPDX-License-Identifier: GPL-2.0-or-later
 * One place of a stack is a variable of several calls, one after the other: atomic in one, plain in the next. Without
 * debug information, and without the source, plain accesses to it are presumed to be atomic in the former alone.
 * stack_words MODE ROUNDS: `right' locks the plain ones, `wrong' does not; `late' gives the address away in the atomic
 * call, and its thread uses it in the plain one; `atomic' has plain instructions in atomic calls only. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meeting;
static int locks, late;
static int *was, *is;

/* On all ways the same frame: the variable is at one address. */
struct frame {
  long before[4];
  int word;
  long behind[4];
};

static void* add(void* to) {
  int* const word = to;
  __sync_fetch_and_add(word, 1);
  if (late) {
    pthread_barrier_wait(&meeting); /* the call may end */
    pthread_barrier_wait(&meeting); /* it is over */
    *(volatile int*)word = 7;       /* and this is another one's */
  }
  return 0;
}

static void* add_and_look(void* to) {
  int* const word = to;
  __sync_fetch_and_add(word, 1);
  __atomic_load_n(word, __ATOMIC_RELAXED);
  __atomic_store_n(word, 5, __ATOMIC_RELEASE);
  return 0;
}

static void* set(void* to) {
  if (locks) pthread_mutex_lock(&lock);
  *(volatile int*)to = 2;
  if (locks) pthread_mutex_unlock(&lock);
  return 0;
}

/* Of a thread that stays the second call joins it. */
__attribute__((noinline)) static int call(int plain, void* (*routine)(void*), pthread_t* stays) {
  struct frame f;
  pthread_t t;
  if (plain && stays) pthread_barrier_wait(&meeting);
  memset(&f, 0, sizeof f);
  *(plain ? &is : &was) = &f.word;
  if (!plain || !stays)
    pthread_create(stays ? stays : &t, 0, routine, &f.word);
  if (plain) {
    if (locks) pthread_mutex_lock(&lock);
    *(volatile int*)&f.word = 3;
    if (locks) pthread_mutex_unlock(&lock);
  } else {
    __sync_fetch_and_add(&f.word, 1);
    if (stays) pthread_barrier_wait(&meeting);
  }
  if (plain || !stays) pthread_join(stays ? *stays : t, 0);
  return f.word;
}

static int atomic_call(void* (*routine)(void*), pthread_t* stays) { return call(0, routine, stays); }
static int plain_call(void* (*routine)(void*), pthread_t* stays) { return call(1, routine, stays); }

int main(int argc, char** argv) {
  const char* const mode = argc > 1 ? argv[1] : "wrong";
  int rounds = argc > 2 ? atoi(argv[2]) : 1, sum = 0;
  pthread_t stays;
  locks = !strcmp(mode, "right");
  late = !strcmp(mode, "late");
  pthread_barrier_init(&meeting, 0, 2);
  while (rounds-- > 0) {
    if (!strcmp(mode, "atomic")) {
      locks = 1;
      sum += plain_call(set, 0) + atomic_call(add_and_look, 0) + plain_call(set, 0) + atomic_call(add_and_look, 0);
    } else if (late) {
      sum += atomic_call(add, &stays);
      sum += plain_call(0, &stays);
    } else {
      sum += atomic_call(add, 0) + plain_call(set, 0);
    }
    if (was != is) return fprintf(stderr, "two places: %p %p\n", (void*)was, (void*)is), 2;
  }
  return sum == -1;
}
