/* SPDX-License-Identifier: GPL-2.0-or-later
 * particles -n PARTICLES -r STEPS -t THREADS: a rarefied gas in a periodic box of cells that all threads share. In each
 * step the particles fly, and add themselves to their cell with atomic instructions; then the velocities of a cell's
 * particles are turned about their mean by a right angle (Malevanets and Kapral 1999). Irregular: particles lie in
 * memory in an order of their own, so every visit to a cell is a random access. Right if every particle is in one
 * cell in each step, and momentum and energy are what they were. */
#include "tests/bench/programs/kernel.h"

enum { most_side = 32 };

struct vector {
  double x, y, z;
};

struct particle {
  struct vector position, velocity;
  uint32_t cell;
};

struct cell {
  int64_t count;
  int64_t x, y, z; /* sums of velocities, in units of 2^-32, so that their order does not matter */
};

static struct particle* particles;
static struct cell* cells;
static size_t side; /* of the box, in cells; a power of two */
static int right = 1;

static double flown(double position, double velocity) {
  position += velocity;
  if (position < 0) position += (double)side;
  return position >= (double)side ? position - (double)side : position;
}

static void add(int64_t* sum, double velocity) {
  __atomic_fetch_add(sum, (int64_t)(velocity * 0x1p32), __ATOMIC_RELAXED);
}

static void fly(struct particle* p) {
  p->position.x = flown(p->position.x, p->velocity.x);
  p->position.y = flown(p->position.y, p->velocity.y);
  p->position.z = flown(p->position.z, p->velocity.z);
  p->cell = (uint32_t)(((size_t)p->position.z * side + (size_t)p->position.y) * side + (size_t)p->position.x);
  struct cell* const cell = &cells[p->cell];
  __atomic_fetch_add(&cell->count, 1, __ATOMIC_RELAXED);
  add(&cell->x, p->velocity.x);
  add(&cell->y, p->velocity.y);
  add(&cell->z, p->velocity.z);
}

/* About one of the axes, the same for all particles of a cell. */
static struct vector turned(struct vector v, uint32_t axis) {
  if (axis == 0) return (struct vector){v.x, -v.z, v.y};
  if (axis == 1) return (struct vector){v.z, v.y, -v.x};
  return (struct vector){-v.y, v.x, v.z};
}

static void collide(struct particle* p, long step) {
  const struct cell* const cell = &cells[p->cell];
  if (cell->count < 2) return;
  const double unit = 0x1p-32 / (double)cell->count;
  const struct vector mean = {(double)cell->x * unit, (double)cell->y * unit, (double)cell->z * unit};
  const struct vector own = {p->velocity.x - mean.x, p->velocity.y - mean.y, p->velocity.z - mean.z};
  const struct vector other = turned(own, scrambled(p->cell ^ (uint32_t)step << 20) % 3);
  p->velocity = (struct vector){mean.x + other.x, mean.y + other.y, mean.z + other.z};
}

static void check_count(void) {
  int64_t count = 0;
  for (size_t i = 0; i < side * side * side; i++) count += cells[i].count;
  right &= count == (int64_t)kernel.size;
}

static void sweep(int thread) {
  const size_t begin = part(kernel.size, thread), end = part(kernel.size, thread + 1);
  const size_t first_cell = part(side * side * side, thread), last_cell = part(side * side * side, thread + 1);
  for (long step = 0; step < kernel.rounds; step++) {
    memset(cells + first_cell, 0, (last_cell - first_cell) * sizeof *cells);
    wait_for_all();
    for (size_t i = begin; i < end; i++) fly(&particles[i]);
    wait_for_all();
    if (thread == 0) check_count();
    for (size_t i = begin; i < end; i++) collide(&particles[i], step);
    wait_for_all();
  }
}

/* Momentum in three directions, and twice the energy, a particle. */
static void measure(double* totals) {
  memset(totals, 0, 4 * sizeof *totals);
  for (size_t i = 0; i < kernel.size; i++) {
    const struct vector v = particles[i].velocity;
    totals[0] += v.x / (double)kernel.size;
    totals[1] += v.y / (double)kernel.size;
    totals[2] += v.z / (double)kernel.size;
    totals[3] += (v.x * v.x + v.y * v.y + v.z * v.z) / (double)kernel.size;
  }
}

static void scatter(void) {
  uint32_t at = 0;
  for (size_t i = 0; i < kernel.size; i++) {
    struct particle* const p = &particles[i];
    p->position.x = (scrambled_real(at++) + 1) / 2 * (double)side;
    p->position.y = (scrambled_real(at++) + 1) / 2 * (double)side;
    p->position.z = (scrambled_real(at++) + 1) / 2 * (double)side;
    p->velocity.x = scrambled_real(at++) / 2;
    p->velocity.y = scrambled_real(at++) / 2;
    p->velocity.z = scrambled_real(at++) / 2;
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, "particles", 50000);
  /* About ten particles a cell. */
  for (side = 2; side < most_side && side * side * side * 20 < kernel.size; side *= 2) continue;
  particles = array(kernel.size, sizeof *particles);
  cells = array(side * side * side, sizeof *cells);
  scatter();
  double before[4], after[4];
  measure(before);
  run_team(sweep);
  measure(after);
  const double allowed = 1e-9 * (double)(kernel.rounds + 1);
  for (int i = 0; i < 4; i++) right &= after[i] - before[i] < allowed && before[i] - after[i] < allowed;
  uint64_t result = 0;
  for (size_t i = 0; i < kernel.size; i++)
    result = result * 31 + checksum(&particles[i].position, sizeof(struct vector));
  free(cells);
  free(particles);
  return finish(right, result);
}
