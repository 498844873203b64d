// SPDX-License-Identifier: GPL-2.0-or-later
// Threads that throw, open a library, and hand exceptions to each other: thrown WAY [LIBRARY].
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 4;
constexpr int kTimes = 25;

struct Counted {
  int& count;
  ~Counted() { ++count; }
};

int throw_from_below(int depth, int& unwound) {
  Counted here{unwound};
  if (depth == 0) throw std::runtime_error("from below");
  return throw_from_below(depth - 1, unwound) + 1;
}

// Each thread unwinds ten frames and hands its exception to main, which throws it again.
void exceptions() {
  std::vector<std::exception_ptr> handed(kThreads);
  std::vector<int> unwound(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTimes; ++i) try {
          throw_from_below(9, unwound[t]);
        } catch (...) {
          handed[t] = std::current_exception();
        }
    });
  for (std::thread& t : threads) t.join();
  for (int t = 0; t < kThreads; ++t) try {
      std::rethrow_exception(handed[t]);
    } catch (const std::runtime_error& e) {
      std::printf("%s, %d frames\n", e.what(), unwound[t]);
    }
}

// All open and close the same library, and call into it between.
void libraries(const char* path) {
  std::vector<int> sums(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTimes; ++i) {
        void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library) std::abort();
        sums[t] += reinterpret_cast<int (*)(int)>(dlsym(library, "answer"))(i);
        dlclose(library);
      }
    });
  for (std::thread& t : threads) t.join();
  for (const int sum : sums) std::printf("sum %d\n", sum);
}

// Nobody catches it: std::terminate in a thread, with others running.
void uncaught() {
  std::thread idle([] { std::this_thread::sleep_for(std::chrono::seconds(100)); });
  std::thread thrower([] { throw std::runtime_error("nobody catches it"); });
  thrower.join();
  idle.join();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  if (way == "exceptions") exceptions();
  if (way == "libraries" && argc > 2) libraries(argv[2]);
  if (way == "uncaught") uncaught();
  std::puts("end");
  return 0;
}
