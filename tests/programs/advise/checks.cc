// SPDX-License-Identifier: GPL-2.0-or-later
// Loops whose body may end the program, or throw, and does not; and such as are left otherwise.
#include <cassert>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static std::jmp_buf back;
static std::vector<double> from(1000, 1.25), to(1000);

[[noreturn]] __attribute__((noinline)) static void die(const char* why) {
  std::puts(why);
  std::exit(2);
}
__attribute__((noinline)) static void asserts() {
  for (size_t i = 0; i < from.size(); i++) {
    assert(from[i] > 0);
    to[i] = from[i] * 2;
  }
}
__attribute__((noinline)) static void throws() {
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] < 0) throw std::runtime_error("negative");
    to[i] = from[i] * 2;
  }
}
__attribute__((noinline)) static void exits() {
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] < 0) {
      std::fprintf(stderr, "negative\n");
      std::exit(1);
    }
    to[i] = from[i] * 2;
  }
}
__attribute__((noinline)) static void dies() {
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] < 0) die("negative");
    to[i] = from[i] * 2;
  }
}
__attribute__((noinline)) static void in_range() {
  for (size_t i = 0; i < from.size(); i++) to.at(i) = from.at(i) * 2;
}
// These are left otherwise.
__attribute__((noinline)) static bool returns() {
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] < 0) return false;
    to[i] = from[i] * 2;
  }
  return true;
}
__attribute__((noinline)) static void says_so() {
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] < 0) {
      std::puts("negative");
      break;
    }
    to[i] = from[i] * 2;
  }
}
__attribute__((noinline)) static void jumps() {
  for (size_t i = 0; i < from.size(); i++) {
    if (from[i] < 0) std::longjmp(back, 1);
    to[i] = from[i] * 2;
  }
}
// Ends the program, and so the loop.
__attribute__((noinline)) static void ends() {
  for (size_t i = 0;; i++) {
    if (from[i] == 0) std::exit(0);
    to[i] = from[i] * 2;
  }
}
int main() {
  asserts();
  throws();
  exits();
  dies();
  in_range();
  if (returns()) says_so();
  if (setjmp(back) == 0) jumps();
  std::printf("%g\n", to[5]);
  from.back() = 0;
  ends();
}
