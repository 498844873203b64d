// SPDX-License-Identifier: GPL-2.0-or-later
// Exceptions through frames with and without something to clean up, thrown again, and out of a thread's depth.
#include <cstdio>
#include <stdexcept>

namespace {
int cleaned = 0;

struct Guard {
  ~Guard() { ++cleaned; }
};
}  // namespace

extern "C" void throw_from_below(int depth) {
  const Guard guard;
  if (depth == 0) throw std::runtime_error("deep");
  throw_from_below(depth - 1);
}

extern "C" void throw_again(int depth) {
  try {
    throw_from_below(depth);
  } catch (const std::exception&) {
    throw;
  }
}

extern "C" void behind(int n) {
  volatile int stored = n;
  (void)stored;
}

int main() {
  int caught = 0;
  for (int i = 0; i < 10; ++i) {
    try {
      throw_again(i);
    } catch (const std::runtime_error&) {
      ++caught;
    }
    behind(i);
  }
  std::printf("%d caught, %d cleaned\n", caught, cleaned);
}
