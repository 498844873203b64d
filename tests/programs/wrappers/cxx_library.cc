// SPDX-License-Identifier: GPL-2.0-or-later
// The rest of the C++ library's synchronisation: shared, recursive and timed mutexes, condition_variable_any,
// futures, local static variables that two threads want. Objects in the heap have no name and are not listed.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::shared_mutex shared;
std::shared_timed_mutex shared_timed;
std::recursive_mutex recursive;
std::timed_mutex timed;
std::recursive_timed_mutex recursive_timed;
std::mutex lock;
std::condition_variable changed;
int state;

void shared_mutexes() {
  shared.lock();
  shared.unlock();
  shared.lock_shared();
  std::printf("try_lock of what is shared: %d\n", shared.try_lock());
  shared.unlock_shared();
  std::printf("try_lock: %d\n", shared.try_lock());
  shared.unlock();
  std::printf("try_lock_shared_for: %d\n", shared_timed.try_lock_shared_for(1ms));
  std::printf("try_lock_for: %d\n", shared_timed.try_lock_for(1ms));
  shared_timed.unlock_shared();
}

void other_mutexes() {
  recursive.lock();
  recursive.lock();
  recursive.unlock();
  recursive.unlock();
  timed.lock();
  std::thread([] { std::printf("try_lock_for: %d\n", timed.try_lock_for(1ms)); }).join();
  timed.unlock();
  std::printf("try_lock_until: %d\n", recursive_timed.try_lock_until(std::chrono::system_clock::now() + 1h));
  recursive_timed.unlock();
}

void conditions() {
  std::unique_lock<std::mutex> held(lock);
  std::printf("wait_for: %d\n", changed.wait_for(held, 1ms) == std::cv_status::timeout);
  const auto past = std::chrono::system_clock::now() - 1h;
  std::printf("wait_until: %d\n", changed.wait_until(held, past) == std::cv_status::timeout);
}

int futures() {
  std::future<int> started = std::async(std::launch::async, [] { return 3; });
  std::promise<int> promise;
  std::thread thread([&] { promise.set_value(4); });
  const int sum = started.get() + promise.get_future().get();
  thread.join();
  return sum;
}

// Waits on `lock', which is unlocked and locked again.
void condition_any() {
  std::condition_variable_any any;
  std::unique_lock<std::mutex> held(lock);
  std::thread thread([&] {
    std::lock_guard<std::mutex> guard(lock);
    state = 1;
    any.notify_all();
  });
  any.wait(held, [] { return state == 1; });
  held.unlock();
  thread.join();
}

int main() {
  shared_mutexes();
  other_mutexes();
  conditions();
  std::printf("futures %d\n", futures());
  condition_any();
}
