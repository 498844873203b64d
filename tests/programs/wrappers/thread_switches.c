/* SPDX-License-Identifier: GPL-2.0-or-later
 * Three threads that never wait: each uses objects of its own, so another can run inside any of their wrappers. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 20
#define BLOCKS 300

typedef struct {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  sem_t semaphore;
} Own;

Own own[3];

static void* use(void* argument) {
  Own* o = argument;
  pthread_mutex_init(&o->mutex, NULL);
  pthread_rwlock_init(&o->rwlock, NULL);
  sem_init(&o->semaphore, 0, 0);
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&o->mutex);
    pthread_rwlock_rdlock(&o->rwlock);
    sem_post(&o->semaphore);
    sem_wait(&o->semaphore);
    pthread_rwlock_unlock(&o->rwlock);
    pthread_mutex_unlock(&o->mutex);
  }
  for (int i = 0; i < BLOCKS; i++) {
    char* block = malloc(1007);
    block = realloc(block, 2007); /* what it gives back another thread may get at once */
    free(block);
  }
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use, &own[i]);
  use(&own[2]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("done");
  return 0;
}
