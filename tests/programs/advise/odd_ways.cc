// SPDX-License-Identifier: GPL-2.0-or-later
// Loops that are left and come back by other ways than branches, and such as are entered in the middle.
#include <cstdio>
#include <csetjmp>
#include <stdexcept>
static jmp_buf env;
int total, caught, jumped, out[64];
__attribute__((noinline)) static int risky(int i) {
  if (i % 3 == 0) throw std::runtime_error("three");
  return i;
}
__attribute__((noinline)) static void jump(int i) {
  if (i % 4 == 0) longjmp(env, i + 1);
}
__attribute__((noinline)) static void exceptions() {
  for (int i = 0; i < 30; i++) {
    try {
      out[i] = risky(i);
    } catch (const std::exception&) {
      caught++;
    }
  }
}
__attribute__((noinline)) static void jumps() {
  for (volatile int i = 1; i < 30; i++) {
    if (setjmp(env) == 0) jump(i);
    else jumped++;
  }
}
__attribute__((noinline)) static int irregular(int n, int where) {
  int i = 0, s = 0;
  if (where) goto inside;
again:
  s += i;
inside:
  i++;
  if (i < n) goto again;
  return s;
}
__attribute__((noinline)) static int two_entries(int n, int where) {
  int i = 0, s = 0;
  if (where) goto second;
first:
  s += i;
  i++;
  if (i >= n) return s;
second:
  s += 2 * i;
  i++;
  if (i < n) goto first;
  return s;
}
int main() {
  exceptions();
  jumps();
  total = irregular(20, 1) + two_entries(20, 1);
  std::printf("%d %d %d\n", total, caught, jumped);
}
