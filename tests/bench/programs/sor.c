/* SPDX-License-Identifier: GPL-2.0-or-later
 * sor -n SIDE -r ITERATIONS -t THREADS: Laplace's equation on a square by successive over-relaxation, red points and
 * black points in turn, a barrier after each colour. Regular. The border is that of x^2 - y^2, which solves the
 * discrete equation exactly. Right if the distance from it has shrunk as theory says (Young 1954): for the best
 * factor w by w - 1 an iteration, and at first a multiple of the iterations slower. */
#include "tests/bench/programs/kernel.h"

static double* grid; /* (side + 2)^2 points, the outermost are the border */
static size_t side, width;
static double over; /* the factor */

static double solution(size_t i, size_t j) {
  return ((double)(i * i) - (double)(j * j)) / (double)((side + 1) * (side + 1));
}

static void relax(size_t colour, int thread) {
  const size_t end = part(side, thread + 1);
  for (size_t i = part(side, thread) + 1; i <= end; i++)
    for (size_t j = 1 + (i + colour) % 2; j <= side; j += 2) {
      double* const p = grid + i * width + j;
      *p += over * ((p[-1] + p[1] + p[-width] + p[width]) * 0.25 - *p);
    }
}

static void iterate(int thread) {
  for (long round = 0; round < kernel.rounds; round++)
    for (size_t colour = 0; colour < 2; colour++) {
      relax(colour, thread);
      wait_for_all();
    }
}

static int is_within(double allowed) {
  int within = 1;
  for (size_t i = 1; i <= side; i++)
    for (size_t j = 1; j <= side; j++) {
      const double error = grid[i * width + j] - solution(i, j);
      within &= error <= allowed && -error <= allowed;
    }
  return within;
}

static double allowed_error(void) {
  double error = 1;
  for (long round = 0; round < kernel.rounds && error > 1e-300; round++) error *= over - 1;
  return 4 * (double)(kernel.rounds + 1) * error + 1e-11;
}

static double sine(double x) { return x - x * x * x / 6 * (1 - x * x / 20 * (1 - x * x / 42)); }

int main(int argc, char** argv) {
  begin(argc, argv, "sor", 100);
  side = kernel.size;
  width = side + 2;
  if (side < 4) give_up("-n is less than 4");
  over = 2 / (1 + sine(3.141592653589793 / (double)(side + 1)));
  grid = array(width * width, sizeof *grid);
  for (size_t i = 0; i < width; i++)
    for (size_t j = 0; j < width; j++)
      if (i == 0 || j == 0 || i > side || j > side) grid[i * width + j] = solution(i, j);
  run_team(iterate);
  const int is_right = is_within(allowed_error());
  const uint64_t result = checksum(grid, width * width * sizeof *grid);
  free(grid);
  return finish(is_right, result);
}
