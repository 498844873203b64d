// SPDX-License-Identifier: GPL-2.0-or-later
// 1, 2, 4, 8 threads at a time, then 500, one after another.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

std::mutex lock;
int count;

void run(int threads) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; i++)
    running.emplace_back([] {
      std::lock_guard<std::mutex> held(lock);
      count++;
    });
  for (std::thread& t : running) t.join();
}

int main() {
  for (int threads = 1; threads <= 8; threads *= 2) run(threads);
  for (int i = 0; i < 500; i++) run(1);
  std::printf("%d\n", count);
}
