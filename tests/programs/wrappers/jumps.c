/* SPDX-License-Identifier: GPL-2.0-or-later
 * Operations that a jump leaves: out of a handler that interrupts a wait, out of a once routine, out of an
 * allocator of the program's own. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define KEPT __attribute__((noipa))

sem_t none;
pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static sigjmp_buf back;
static jmp_buf* out_of_malloc;
static char pool[1 << 16] __attribute__((aligned(16)));
static size_t used;

KEPT void* malloc(size_t bytes) {
  char* p = pool + used;
  if (out_of_malloc) longjmp(*out_of_malloc, 1);
  used += (bytes + 31) / 16 * 16;
  return used <= sizeof pool ? p : NULL;
}

KEPT void free(void* p) { (void)p; }
KEPT void* calloc(size_t count, size_t each) { return malloc(count * each); }

/* One wrapper inside the other. */
KEPT void* realloc(void* p, size_t bytes) { return p ? NULL : malloc(bytes); }

static void jump(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

static void jump_once(void) { siglongjmp(back, 1); }

static void lock_unlock(void) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
}

static void out_of_wait(void) {
  sem_init(&none, 0, 0);
  signal(SIGALRM, jump);
  if (sigsetjmp(back, 1) == 0) {
    alarm(1);
    sem_wait(&none);
  }
  lock_unlock();
}

static void out_of_once(void) {
  if (sigsetjmp(back, 1) == 0) pthread_once(&once, jump_once);
  lock_unlock();
}

static void out_of_allocator(void) {
  jmp_buf here;
  if (setjmp(here) == 0) {
    out_of_malloc = &here;
    free(realloc(NULL, 1007));
  }
  out_of_malloc = NULL;
  free(malloc(2007));
}

int main(void) {
  out_of_wait();
  out_of_once();
  out_of_allocator();
  puts("landed");
  return 0;
}
