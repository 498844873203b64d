// SPDX-License-Identifier: GPL-2.0-or-later
// Cancellation and pthread_exit run the destructors of the frames that they leave.
#include <pthread.h>
#include <semaphore.h>

#include <cstdio>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t never = PTHREAD_COND_INITIALIZER;
sem_t held;

struct Guard {
  Guard() { pthread_mutex_lock(&lock); }
  ~Guard() { pthread_mutex_unlock(&lock); }
};

struct Post {
  ~Post() { sem_post(&held); }
};

void* wait(void*) {
  Guard guard;
  sem_post(&held);
  for (;;) pthread_cond_wait(&never, &lock);
}

// Found cancelled as it begins to wait, without a signal.
void* wait_cancelled(void*) {
  Guard guard;
  pthread_cancel(pthread_self());
  for (;;) pthread_cond_wait(&never, &lock);
}

void* leave(void*) {
  Post post;
  Guard guard;
  pthread_exit(nullptr);
}

int main() {
  pthread_t thread;
  void* value;
  pthread_create(&thread, nullptr, wait_cancelled, nullptr);
  pthread_join(thread, &value);
  std::printf("at once: %s\n", value == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
  sem_init(&held, 0, 0);
  pthread_create(&thread, nullptr, wait, nullptr);
  sem_wait(&held);
  pthread_cancel(thread);
  pthread_join(thread, &value);
  std::printf("%s\n", value == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
  pthread_create(&thread, nullptr, leave, nullptr);
  pthread_join(thread, &value);
  std::printf("posted: %d\n", sem_trywait(&held) == 0);
  std::printf("mutex: %s\n", pthread_mutex_trylock(&lock) ? "held" : "free");
}
