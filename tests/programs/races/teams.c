/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Teams of OpenMP: what their barriers order, and one race. */
#include <omp.h>

enum { kCount = 64 };
static int before[kCount], after[kCount], result;
static volatile int unordered;

int main(void) {
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(3)
    {
      int me = omp_get_thread_num(), all = omp_get_num_threads();
      for (int i = me; i < kCount; i += all) before[i] = i + round;
#pragma omp barrier
      for (int i = me; i < kCount; i += all) after[i] = before[kCount - 1 - i];
#pragma omp barrier
#pragma omp single
      result = after[0];
      for (int i = me; i < kCount; i += all) before[i] = result;
    }
    sum += before[kCount - 1];
  }
#pragma omp parallel num_threads(2)
  unordered = omp_get_thread_num();
  return sum < 0;
}
