/* SPDX-License-Identifier: GPL-2.0-or-later
 * Every operation on spin locks. In the C library pthread_spin_init and pthread_spin_unlock are one piece of
 * code: the recorder must tell them apart, also when a lock's memory is used again. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

pthread_spinlock_t lock, ready;
int count;

static void* add(void* argument) {
  pthread_spin_lock(&lock);
  count++;
  pthread_spin_unlock(&lock);
  return argument;
}

static void use(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&lock);
  printf("trylock of a locked lock: %d\n", pthread_spin_trylock(&lock) == EBUSY);
  pthread_spin_unlock(&lock);
  printf("trylock of a free lock: %d\n", pthread_spin_trylock(&lock));
  pthread_spin_unlock(&lock);
  pthread_spin_destroy(&lock);
}

int main(void) {
  pthread_t thread;
  use();
  use();
  pthread_spin_init(&ready, PTHREAD_PROCESS_SHARED);
  pthread_spin_init(&lock, PTHREAD_PROCESS_SHARED);
  pthread_spin_lock(&lock);
  pthread_create(&thread, NULL, add, NULL);
  count++;
  pthread_spin_unlock(&lock);
  pthread_join(thread, NULL);
  printf("count %d\n", count);
  return 0;
}
