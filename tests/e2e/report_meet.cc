/* SPDX-License-Identifier: GPL-2.0-or-later
 * What a page can show of threads of the C++ library: frames of theirs on the stacks of a race, on a block of the heap;
 * locks in an array; a barrier of the library, and one that is made of a mutex and a condition. */
#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

enum { kThreads = 3, kRounds = 4 };
static std::mutex slots[kThreads], lock;
static std::condition_variable all;
static pthread_barrier_t gate;
static int here, round_;
static long sums[kThreads], *shared;

static void meet() {
  std::unique_lock<std::mutex> hold(lock);
  const int mine = round_;
  if (++here == kThreads) {
    here = 0;
    ++round_;
    all.notify_all();
  } else {
    while (mine == round_) all.wait(hold);
  }
}
static void add(int n) { shared[0] += n; }

static void work(int me) {
  const int parts[] = {1, 2};
  for (int i = 0; i < kRounds; ++i) {
    for (int k = 0; k < kThreads; ++k) {
      const int to = (me + k) % kThreads;
      const std::lock_guard<std::mutex> hold(slots[to]);
      for (int n = 0; n < 50; ++n) sums[to] += n;
    }
    std::for_each(parts, parts + 2, [](int n) { add(n); });
    meet();
    pthread_barrier_wait(&gate);
  }
}

int main() {
  pthread_barrier_init(&gate, nullptr, kThreads);
  shared = new long[4]();
  std::vector<std::thread> others;
  for (int i = 1; i < kThreads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& t : others) t.join();
  delete[] shared;
}
