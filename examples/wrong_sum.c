/* SPDX-License-Identifier: GPL-2.0-or-later
 * The mean of some numbers and their spread: of two loops with a sum each, one says so. */
#include <stdio.h>

enum { kNumbers = 1000 };

static double number[kNumbers];

static void fill(void) {
  #pragma omp parallel for
  for (int i = 0; i < kNumbers; i++) number[i] = i % 17 * 0.5;
}

static double mean(void) {
  double sum = 0;
  #pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kNumbers; i++) sum += number[i];
  return sum / kNumbers;
}

static double spread(double middle) {
  double squares = 0;
  #pragma omp parallel for
  for (int i = 0; i < kNumbers; i++) {
    double off = number[i] - middle;
    squares += off * off;
  }
  return squares / kNumbers;
}

int main(void) {
  fill();
  double middle = mean();
  printf("mean %.3f, spread %.3f\n", middle, spread(middle));
  return 0;
}
