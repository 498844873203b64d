// SPDX-License-Identifier: GPL-2.0-or-later
// The C++ library's threads, mutexes and condition variables come through the pthread functions.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex lock;
std::condition_variable changed;
int state;

void wait_for(std::unique_lock<std::mutex>& held, int wanted) {
  while (state != wanted) changed.wait(held);
}

void second() {
  std::unique_lock<std::mutex> held(lock);
  state = 1;
  changed.notify_one();
  wait_for(held, 2);
  state = 3;
  changed.notify_all();
}

void throw_under_lock() {
  std::lock_guard<std::mutex> held(lock);
  throw std::runtime_error("unlocked on the way");
}

int main() {
  std::unique_lock<std::mutex> held(lock);
  std::thread thread(second);
  wait_for(held, 1);
  state = 2;
  changed.notify_one();
  wait_for(held, 3);
  held.unlock();
  thread.join();
  try {
    throw_under_lock();
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
  }
  std::printf("try_lock: %d, state %d\n", held.try_lock(), state);
}
