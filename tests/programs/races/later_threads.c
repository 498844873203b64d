/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Races of threads that libc creates on stacks that it has used before: what it decides about these, and what it counts,
 * makes nothing follow from anything; who creates them under which condition, with what, and what they return does. */
#include <pthread.h>
#include <unistd.h>

static volatile int stop, condition, number, result;
static int free_1, free_2, under, given[2], returned[2];

static void* poll_it(void* unused) {
  while (!stop) usleep(1000);
  return unused;
}
static void* set(void* unused) {
  condition = 1;
  number = 1;
  result = 1;
  ++returned[1];
  return unused;
}
static void* touch_free_1(void* unused) {
  ++free_1;
  return unused;
}
static void* touch_free_2(void* unused) {
  ++free_2;
  return unused;
}
static void* touch_under(void* unused) {
  ++under;
  return unused;
}
static void* touch_given(void* index) {
  ++given[(long)index];
  return (void*)(long)result;
}
int main(void) {
  pthread_t poller, setter, later, other;
  void* index;
  pthread_create(&poller, 0, poll_it, 0);
  usleep(20000);
  stop = 1;
  pthread_join(poller, 0);
  pthread_create(&later, 0, touch_free_1, 0);
  ++free_1;
  pthread_join(later, 0);

  pthread_create(&setter, 0, set, 0);
  while (!condition) usleep(1000);
  if (condition) {
    pthread_create(&later, 0, touch_under, 0);
    ++under;
    pthread_join(later, 0);
  }
  pthread_create(&other, 0, touch_given, (void*)(long)number);
  ++given[1];
  pthread_join(other, &index);
  ++returned[(long)index];
  pthread_join(setter, 0);
  pthread_create(&later, 0, touch_free_2, 0);
  ++free_2;
  pthread_join(later, 0);
  return 0;
}
