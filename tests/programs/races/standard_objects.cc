// SPDX-License-Identifier: GPL-2.0-or-later
// What the C++ library promises: variables called right_… are in order, those called wrong_… are not: they are used if
// there is an argument.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <regex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>

static bool wrong;
#define RACE(variable) ((void)(wrong && ++(variable)))

template <class F>
void twice(F f) {
  std::thread a(f), b(f);
  a.join();
  b.join();
}

// The first routine throws; the next one comes behind it.
int right_tried, wrong_tried;
static std::once_flag once;
static void tries() {
  for (;;) try {
      std::call_once(once, [] {
        if (right_tried++ == 0) throw 1;
      });
      break;
    } catch (int) {
      RACE(wrong_tried);
    }
  RACE(wrong_tried);
  if (right_tried != 2) abort();
}

// The classic locale's facet remembers what it has been asked.
static void matches() {
  if (!std::regex_match("abcb", std::regex("a(b|c)+"))) abort();
}

int right_ended, wrong_ended;
static std::mutex mutex;
struct Local {
  std::string text;
  ~Local() {
    RACE(wrong_ended);
    std::lock_guard lock(mutex);
    right_ended += static_cast<int>(text.size());
  }
};
static thread_local Local local;
static void ends() { local.text = "a text that is too long for what is in the string itself"; }

int right_read, wrong_read;
static std::shared_mutex readers;
static std::condition_variable_any changed;
static void reads() {
  std::shared_lock lock(readers);
  changed.wait(lock, [] { return right_read != 0; });
  RACE(wrong_read);
}
static void writes() {
  std::thread a(reads), b(reads);
  {
    std::unique_lock lock(readers);
    right_read = 1;
  }
  changed.notify_all();
  a.join();
  b.join();
}

int right_phases, right_parts[2], wrong_parts;
static void rounds() {
  std::latch begun(2);
  auto done = []() noexcept { ++right_phases; };
  std::barrier barrier(2, done);
  std::counting_semaphore<2> tokens(1);
  std::atomic<int> number = 0;
  twice([&] {
    const int me = number++;
    right_parts[me] = 1;
    begun.arrive_and_wait();
    for (int i = 0; i < 3; ++i) {
      right_parts[me ^ (i & 1)] += i;
      RACE(wrong_parts);
      barrier.arrive_and_wait();
    }
    tokens.acquire();
    right_parts[0] += right_phases;
    tokens.release();
  });
}

int right_stopped, wrong_stopped;
static void stops() {
  std::jthread waits([](std::stop_token asked) {
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    never.wait(lock, asked, [] { return false; });
    if (right_stopped != 1) abort();
    RACE(wrong_stopped);
  });
  right_stopped = 1;
  waits.request_stop();
  RACE(wrong_stopped);
}

int main(int argc, char**) {
  wrong = argc > 1;
  twice(tries);
  twice(matches);
  twice(ends);
  writes();
  rounds();
  stops();
}
