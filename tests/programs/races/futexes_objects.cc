// SPDX-License-Identifier: GPL-2.0-or-later
// What C++20 has to wait with, which all waits by futex: nothing here races but what says so.
#include <atomic>
#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

static std::atomic<int> number;
static std::atomic<char> letter;  // waits for a word of the library's
static std::atomic_flag flag;
static int guarded_by_number, guarded_by_letter, guarded_by_flag;

static void by_values() {
  std::thread first([] {
    guarded_by_number = 1;
    number.store(1, std::memory_order_release);
    number.notify_one();
    guarded_by_letter = 1;
    letter.store('a', std::memory_order_release);
    letter.notify_one();
    guarded_by_flag = 1;
    flag.test_and_set(std::memory_order_release);
    flag.notify_one();
  });
  number.wait(0, std::memory_order_acquire);
  guarded_by_number = 2;
  letter.wait(0, std::memory_order_acquire);
  guarded_by_letter = 2;
  flag.wait(false, std::memory_order_acquire);
  guarded_by_flag = 2;
  first.join();
}

static int guarded_by_latch[3], sum;
static void by_latch() {
  std::latch latch(3);
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i)
    all.emplace_back([&latch, i] {
      guarded_by_latch[i] = i;
      latch.count_down();
    });
  latch.wait();
  for (int i : guarded_by_latch) sum += i;
  for (std::thread& t : all) t.join();
}

static std::counting_semaphore<4> items(0), space(1);
static int guarded_by_semaphores;
static void by_semaphores() {
  std::thread producer([] {
    for (int i = 0; i < 20; ++i) {
      space.acquire();
      guarded_by_semaphores = i;
      items.release();
    }
  });
  for (int i = 0; i < 20; ++i) {
    items.acquire();
    sum += guarded_by_semaphores;
    space.release();
  }
  producer.join();
}

static int guarded_by_barrier[3], total;
static void by_barrier() {
  std::barrier barrier(3, []() noexcept {
    for (int i : guarded_by_barrier) total += i;
  });
  std::vector<std::thread> all;
  for (int i = 0; i < 3; ++i)
    all.emplace_back([&barrier, i] {
      for (int round = 0; round < 4; ++round) {
        guarded_by_barrier[i] = round;
        barrier.arrive_and_wait();
        guarded_by_barrier[(i + 1) % 3] = total;
        barrier.arrive_and_wait();
      }
    });
  for (std::thread& t : all) t.join();
}

// Looks without waiting; nothing else orders these.
static int beside, plain_flag;
static void without() {
  std::thread first([] {
    beside = 1;
    __atomic_store_n(&plain_flag, 1, __ATOMIC_RELEASE);
    number.notify_one();
  });
  while (!static_cast<volatile int&>(plain_flag)) number.wait(7);
  beside = 2;
  first.join();
}

int main() {
  by_values();
  by_latch();
  by_semaphores();
  by_barrier();
  without();
  return sum < 0;
}
