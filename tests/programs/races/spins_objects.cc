// SPDX-License-Identifier: GPL-2.0-or-later
// Loops that wait for a plain variable with what the C++ library has for it. spins.c has all other kinds.
#include <chrono>
#include <thread>

#include "order.h"

static volatile bool yields, sleeps;
static volatile int guarded_by_yield, guarded_by_sleep;
static void yield_1() { guarded_by_yield = 1; yields = true; }
static void yield_2() { while (!yields) std::this_thread::yield(); guarded_by_yield = 2; }
static void sleep_1() { guarded_by_sleep = 1; sleeps = true; }
static void sleep_2() {
  while (!sleeps) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  guarded_by_sleep = 2;
}

int main() {
  prepare();
  in_turn(yield_1, yield_2);
  in_turn(sleep_1, sleep_2);
  return 0;
}
