/* SPDX-License-Identifier: GPL-2.0-or-later
 * A pipeline of three threads: numbers are made, squared, and added up. Between two stages lies a queue with a
 * mutex and two condition variables. Which dependences connect the threads? See pipeline.md. */
#include <pthread.h>
#include <stdio.h>

enum { kNumbers = 12, kSlots = 4, kNoMore = -1 };

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t not_empty, not_full;
  int slots[kSlots];
  int first, used;
};

#define QUEUE \
  { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0 }
static struct queue made = QUEUE;
static struct queue squared = QUEUE;

static void put(struct queue* queue, int value) {
  pthread_mutex_lock(&queue->lock);
  while (queue->used == kSlots) pthread_cond_wait(&queue->not_full, &queue->lock);
  queue->slots[(queue->first + queue->used) % kSlots] = value;
  queue->used++;
  pthread_cond_signal(&queue->not_empty);
  pthread_mutex_unlock(&queue->lock);
}

static int take(struct queue* queue) {
  pthread_mutex_lock(&queue->lock);
  while (queue->used == 0) pthread_cond_wait(&queue->not_empty, &queue->lock);
  int value = queue->slots[queue->first];
  queue->first = (queue->first + 1) % kSlots;
  queue->used--;
  pthread_cond_signal(&queue->not_full);
  pthread_mutex_unlock(&queue->lock);
  return value;
}

static void* make(void* unused) {
  for (int number = 1; number <= kNumbers; number++) put(&made, number);
  put(&made, kNoMore);
  return unused;
}

static void* square(void* unused) {
  int number;
  while ((number = take(&made)) != kNoMore) put(&squared, number * number);
  put(&squared, kNoMore);
  return unused;
}

static void* add(void* result) {
  int* sum = result;
  int number;
  while ((number = take(&squared)) != kNoMore) *sum += number;
  return NULL;
}

int main(void) {
  pthread_t maker, squarer, adder;
  int sum = 0;
  pthread_create(&maker, NULL, make, NULL);
  pthread_create(&squarer, NULL, square, NULL);
  pthread_create(&adder, NULL, add, &sum);
  pthread_join(maker, NULL);
  pthread_join(squarer, NULL);
  pthread_join(adder, NULL);
  printf("%d\n", sum);
  return 0;
}
