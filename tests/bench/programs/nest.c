/* SPDX-License-Identifier: GPL-2.0-or-later
 * nest -n POINTS -r ROUNDS -t THREADS -l free|barriers: in each round every thread smooths an array of its own, there
 * and back. With -l barriers the threads wait for each other after each round. Regular: every round is like the one
 * before. Right if the sum of an array stays about what it was. */
#include "tests/bench/programs/kernel.h"

static double *arrays[most_threads], *others[most_threads];
static int with_barriers;

static void smooth(const double* from, double* to) {
  to[0] = from[0];
  for (size_t i = 1; i + 1 < kernel.size; i++) to[i] = (from[i - 1] + 2 * from[i] + from[i + 1]) / 4;
  to[kernel.size - 1] = from[kernel.size - 1];
}

static void work(int thread) {
  double* const mine = arrays[thread];
  double* const other = others[thread];
  for (size_t i = 0; i < kernel.size; i++) mine[i] = 1 + scrambled_real((uint32_t)i) / 1024;
  for (long round = 0; round < kernel.rounds; round++) {
    smooth(mine, other);
    smooth(other, mine);
    if (with_barriers) wait_for_all();
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, "nest", 1000);
  if (!*kernel.layout) kernel.layout = "free";
  with_barriers = strcmp(kernel.layout, "barriers") == 0;
  if (!with_barriers && strcmp(kernel.layout, "free")) give_up("-l is neither free nor barriers");
  if (kernel.size < 3) give_up("-n is less than 3");
  for (int t = 0; t < kernel.threads; t++) {
    arrays[t] = array(kernel.size, sizeof *arrays[t]);
    others[t] = array(kernel.size, sizeof *others[t]);
  }
  run_team(work);
  double sum = 0;
  for (size_t i = 0; i < kernel.size; i++) sum += arrays[0][i];
  const double error = sum / (double)kernel.size - 1;
  return finish(error < 0.01 && -error < 0.01, checksum(arrays[0], kernel.size * sizeof *arrays[0]));
}
