// SPDX-License-Identifier: GPL-2.0-or-later
// std::call_once and local static variables: exceptions leave both, and the next caller tries again.
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
int attempts;

struct Local {
  explicit Local(int n) : value(n) {
    if (n == 0) throw std::runtime_error("not yet");
  }
  int value;
};

// Its guard is a variable of the program, too.
int local(int n) {
  static Local variable(n);
  return variable.value;
}

void attempt() {
  if (attempts++ == 0) throw std::runtime_error("thrown through call_once");
}

template <class F>
void try_it(F f) {
  try {
    f();
  } catch (const std::exception& e) {
    std::puts(e.what());
  }
}

int main() {
  try_it([] { std::call_once(flag, attempt); });
  try_it([] { std::call_once(flag, attempt); });
  try_it([] { local(0); });
  try_it([] { local(7); });
  std::thread([] { std::call_once(flag, attempt); }).join();
  std::printf("attempts %d, local %d\n", attempts, local(8));
}
