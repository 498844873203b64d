/* SPDX-License-Identifier: GPL-2.0-or-later
 * As runtimes with threads of their own do it: many small stacks side by side in one mapping, taken by whichever thread
 * is free. A task yields from any depth and goes on in another thread; a stack whose task has ended gets another one.
 * SP is loaded by hand; the stacks of the threads lie in the same mapping. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kThreads = 3, kTasks = 40, kSlots = 8, kSteps = 6 };
enum { kSlotBytes = 8 * 1024, kThreadBytes = 128 * 1024, kHeapBytes = 4 << 20 };

struct task {
  char* sp; /* where it was left; null: it has ended */
  int number, step, slot;
  long sum;
  struct task* next;
};

static char* memory;
static struct task tasks[kTasks];
static struct task *ready, *waiting; /* for a slot */
static int free_slots[kSlots], free_count, ended;
static long total;
/* The threads take turns, one step each, so that every run is the same. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next_turn = PTHREAD_COND_INITIALIZER;
static int turn, gone[kThreads + 1];

/* Saves the registers of the callee and SP, and goes on at another SP. */
void switch_to(char** save, char* sp);
__asm__(
    ".text\n"
    ".type switch_to, @function\n"
    "switch_to:\n"
    "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
    "  mov %rsp, (%rdi)\n"
    "  mov %rsi, %rsp\n"
    "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
    "  ret\n"
    ".size switch_to, . - switch_to\n");

static __thread char* scheduler_sp;
static __thread struct task* present;
static __thread int own_number;

__attribute__((noinline)) static char** own_scheduler(void) { return &scheduler_sp; }
__attribute__((noinline)) static struct task* own_task(void) { return present; }

__attribute__((noinline)) static void wait_for_turn(void) {
  pthread_mutex_lock(&lock);
  while (turn != own_number) pthread_cond_wait(&next_turn, &lock);
  pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void pass_turn(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i <= kThreads; i++) {
    turn = (turn + 1) % (kThreads + 1);
    if (!gone[turn]) break;
  }
  pthread_cond_broadcast(&next_turn);
  pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void yield(void) {
  struct task* const t = own_task();
  switch_to(&t->sp, *own_scheduler());
}

__attribute__((noinline)) static long deeper(struct task* t, int depth) {
  volatile long ballast[16];
  ballast[depth] = t->number + depth;
  if (depth > 0) return ballast[depth] + deeper(t, depth - 1);
  pass_turn(); /* meanwhile other threads run other tasks */
  wait_for_turn();
  yield();
  return ballast[0];
}

static void run_task(void) {
  struct task* const t = own_task();
  for (t->step = 0; t->step < kSteps; t->step++) t->sum += deeper(t, (t->number + t->step) % 10);
  char* nowhere;
  t->sp = NULL;
  switch_to(&nowhere, *own_scheduler());
  abort();
}

static char* fresh_stack(int slot) {
  char** sp = (char**)(memory + (slot + 1) * kSlotBytes);
  *--sp = NULL;
  *--sp = (char*)run_task;
  return (char*)(sp - 6);
}

static struct task* next_task(void) {
  struct task* t = NULL;
  pthread_mutex_lock(&lock);
  if (waiting && free_count > 0) {
    t = waiting;
    waiting = t->next;
    t->slot = free_slots[--free_count];
    t->sp = fresh_stack(t->slot);
  } else if (ready) {
    t = ready;
    ready = t->next;
  }
  pthread_mutex_unlock(&lock);
  return t;
}

static void put_back(struct task* t) {
  pthread_mutex_lock(&lock);
  if (t->sp) {
    struct task** end = &ready;
    while (*end) end = &(*end)->next;
    t->next = NULL;
    *end = t;
  } else {
    free_slots[free_count++] = t->slot;
    total += t->sum;
    ended++;
  }
  pthread_mutex_unlock(&lock);
}

static int all_ended(void) {
  pthread_mutex_lock(&lock);
  const int all = ended == kTasks;
  pthread_mutex_unlock(&lock);
  return all;
}

static void* schedule(void* number) {
  own_number = (int)(long)number;
  for (wait_for_turn(); !all_ended(); wait_for_turn()) {
    struct task* const t = next_task();
    if (t) {
      present = t;
      char* const sp = t->sp;
      switch_to(&scheduler_sp, sp); /* resumption */
      put_back(t);
    }
    pass_turn();
  }
  gone[own_number] = 1;
  pass_turn();
  return NULL;
}

int main(void) {
  memory = mmap(NULL, kHeapBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < kSlots; i++) free_slots[free_count++] = i;
  for (int i = 0; i < kTasks; i++) {
    tasks[i].number = i;
    tasks[i].next = i + 1 < kTasks ? &tasks[i + 1] : NULL;
  }
  waiting = tasks;
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory + kSlots * kSlotBytes + i * kThreadBytes, kThreadBytes);
    pthread_create(&threads[i], &attributes, schedule, (void*)(long)(i + 1));
  }
  schedule((void*)0);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  printf("%ld\n", total);
  return 0;
}
