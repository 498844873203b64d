// SPDX-License-Identifier: GPL-2.0-or-later
// What is done with a mutex and a condition: barriers, and what looks like one. The argument says which.
#include <pthread.h>

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 3, kRounds = 4;

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t go = PTHREAD_COND_INITIALIZER, back = PTHREAD_COND_INITIALIZER;
int come, rounds, turn, items, total;
bool is_open;

// Threads come to what they do first one behind the other, however they are scheduled.
void work(int n) {
  for (volatile int i = 0; i < 5000 * n; i = i + 1) {
  }
}
void run(const std::function<void(int)>& body, int threads = kThreads) {
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&body, t] {
      work(t);
      body(t);
    });
  for (std::thread& t : all) t.join();
}

// --- barriers ---

void meet() {
  pthread_mutex_lock(&lock);
  const int mine = rounds;
  if (++come == kThreads) {
    come = 0;
    ++rounds;
    pthread_cond_broadcast(&go);
  } else {
    while (rounds == mine) pthread_cond_wait(&go, &lock);
  }
  pthread_mutex_unlock(&lock);
}
void made(int) {
  for (int i = 0; i < kRounds; ++i) meet();
}
// The mutex is used elsewhere, too.
void mixed(int) {
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&lock);
    ++total;
    pthread_mutex_unlock(&lock);
    meet();
  }
}

// As macros make them: at two places, each on a line of its own; the last one unlocks before it wakes the others.
#define MEET                                                \
  do {                                                      \
    pthread_mutex_lock(&lock);                              \
    const int mine = rounds;                                \
    if (++come == kThreads) {                               \
      come = 0;                                             \
      ++rounds;                                             \
      pthread_mutex_unlock(&lock);                          \
      pthread_cond_broadcast(&go);                          \
    } else {                                                \
      while (rounds == mine) pthread_cond_wait(&go, &lock); \
      pthread_mutex_unlock(&lock);                          \
    }                                                       \
  } while (0)
void macro(int) {
  for (int i = 0; i < kRounds / 2; ++i) {
    MEET;
    MEET;
  }
}

class Barrier {
 public:
  void meet() {
    std::unique_lock<std::mutex> hold(mutex_);
    const int mine = round_;
    if (--left_ == 0) {
      left_ = kThreads;
      ++round_;
      all_.notify_all();
      return;
    }
    all_.wait(hold, [&] { return round_ != mine; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_;
  int left_ = kThreads, round_ = 0;
} meeting;
void library(int) {
  for (int i = 0; i < kRounds; ++i) meeting.meet();
}

// --- no barriers ---

// A queue with one condition; the taker is told of each item, and may find several.
void queue(int me) {
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&lock);
    if (me == 0) {
      items += kThreads - 1;
      pthread_cond_broadcast(&go);
    } else {
      while (items == 0) pthread_cond_wait(&go, &lock);
      --items;
    }
    pthread_mutex_unlock(&lock);
  }
}

// Two threads take turns at a queue of one slot, through functions of its own for lock and wait: one waits, the other
// comes and wakes it, each time.
void enter() { pthread_mutex_lock(&lock); }
void leave() { pthread_mutex_unlock(&lock); }
void put() {
  pthread_mutex_lock(&other);  // not before the taker waits
  while (!is_open) pthread_cond_wait(&back, &other);
  is_open = false;
  pthread_mutex_unlock(&other);
  enter();
  ++items;
  pthread_cond_signal(&go);
  leave();
}
void take() {
  enter();
  pthread_mutex_lock(&other);
  is_open = true;
  pthread_cond_signal(&back);
  pthread_mutex_unlock(&other);
  while (items == 0) pthread_cond_wait(&go, &lock);
  --items;
  leave();
}
void slot(int me) {
  for (int i = 0; i < kRounds; ++i) me == 0 ? take() : put();
}
// The same in one function.
void swap(int me) {
  for (int i = 0; i < kRounds; ++i) {
    if (me == 1) {
      pthread_mutex_lock(&other);
      while (!is_open) pthread_cond_wait(&back, &other);
      is_open = false;
      pthread_mutex_unlock(&other);
    }
    pthread_mutex_lock(&lock);
    if (me == 1) {
      ++items;
      pthread_cond_signal(&go);
    } else {
      pthread_mutex_lock(&other);
      is_open = true;
      pthread_cond_signal(&back);
      pthread_mutex_unlock(&other);
      while (items == 0) pthread_cond_wait(&go, &lock);
      --items;
    }
    pthread_mutex_unlock(&lock);
  }
}

// All wait until one opens.
void gate(int me) {
  pthread_mutex_lock(&lock);
  if (me == kThreads - 1) {
    is_open = true;
    pthread_cond_broadcast(&go);
  }
  while (!is_open) pthread_cond_wait(&go, &lock);
  pthread_mutex_unlock(&lock);
}

// One after the other.
void turns(int me) {
  for (int i = 0; i < kRounds; ++i) {
    pthread_mutex_lock(&lock);
    while (turn != me) pthread_cond_wait(&go, &lock);
    turn = (turn + 1) % kThreads;
    pthread_cond_broadcast(&go);
    pthread_mutex_unlock(&lock);
  }
}

// One waits until the others are done.
void done(int me) {
  pthread_mutex_lock(&lock);
  if (me != 0 && ++come == kThreads - 1) pthread_cond_broadcast(&go);
  while (me == 0 && come < kThreads - 1) pthread_cond_wait(&go, &lock);
  pthread_mutex_unlock(&lock);
}

}  // namespace

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*body)(int);
    int threads;
  } cases[] = {{"made", made, kThreads},   {"mixed", mixed, kThreads},
               {"macro", macro, kThreads}, {"library", library, kThreads},
               {"queue", queue, kThreads}, {"slot", slot, 2},
               {"swap", swap, 2},          {"gate", gate, kThreads},
               {"turns", turns, kThreads}, {"done", done, kThreads}};
  for (const auto& c : cases) {
    if (argc > 1 && std::strcmp(argv[1], c.name) != 0) continue;
    run(c.body, c.threads);
    std::puts(c.name);
  }
  return 0;
}
