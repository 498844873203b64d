/* SPDX-License-Identifier: GPL-2.0-or-later
 * water -n MOLECULES -r STEPS -t THREADS: molecules of one heavy and two light atoms in a periodic box, by the method
 * of Verlet. Springs hold a molecule together; heavy atoms repel and attract each other (Lennard-Jones), charges act
 * between all atoms; beyond a distance nothing acts, and forces and energies go to zero there (Wolf et al. 1999).
 * Every thread works out the pairs of its molecules, sums up by itself, and adds its sums under a lock per molecule.
 * Irregular: the distances decide. Forces are added as whole numbers, so that their order does not matter. Right if
 * momentum stays zero and energy stays about the same. */
#include "tests/bench/programs/kernel.h"

enum { sites = 3, most_molecules = 4096 }; /* the heavy atom is the first site */

struct vector {
  double x, y, z;
};

struct force { /* in units of 2^-30 */
  int64_t x, y, z;
};

struct molecule {
  struct vector position[sites], velocity[sites];
  struct force force[sites];
  pthread_mutex_t lock;
};

static const double mass[sites] = {16, 1, 1}, charge[sites] = {-1, 0.5, 0.5}, rest[sites] = {0.33, 0.33, 0.52};
static const double spring = 400, time_step = 0.001, unit = 0x1p-30;

static struct molecule* molecules;
static size_t count;
static double box, reach; /* lengths of its side, of interactions */
static struct force* sums[most_threads];
static pthread_mutex_t energy_lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t potential; /* like force */

static double nearest(double distance) {
  if (distance > box / 2) return distance - box;
  return distance < -box / 2 ? distance + box : distance;
}

static struct vector between(struct vector a, struct vector b) {
  return (struct vector){nearest(a.x - b.x), nearest(a.y - b.y), nearest(a.z - b.z)};
}

static double square(struct vector v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

/* `strength` along v pushes the first and pulls the second. */
static void push(struct force* first, struct force* second, struct vector v, double strength) {
  const struct force f = {(int64_t)(v.x * strength / unit), (int64_t)(v.y * strength / unit),
                          (int64_t)(v.z * strength / unit)};
  first->x += f.x, first->y += f.y, first->z += f.z;
  second->x -= f.x, second->y -= f.y, second->z -= f.z;
}

/* Energy at distance r; *slope becomes its derivative. */
static double heavy_energy(double r, double* slope) {
  const double inverse = 1 / r, power = inverse * inverse * inverse * inverse * inverse * inverse;
  *slope = (24 * power - 48 * power * power) * inverse;
  return 4 * (power * power - power);
}

static double charge_energy(double charges, double r, double* slope) {
  *slope = -charges / (r * r);
  return charges / r;
}

/* Between sites a and b at distance r: smooth at the end of reach. */
static double site_energy(int a, int b, double r, double* slope) {
  double end_slope, energy = charge_energy(charge[a] * charge[b], r, slope);
  energy -= charge_energy(charge[a] * charge[b], reach, &end_slope) + (r - reach) * end_slope;
  *slope -= end_slope;
  if (a == 0 && b == 0) {
    double heavy_slope;
    energy += heavy_energy(r, &heavy_slope);
    energy -= heavy_energy(reach, &end_slope) + (r - reach) * end_slope;
    *slope += heavy_slope - end_slope;
  }
  return energy;
}

static double add_pair(size_t i, size_t j, struct force* sum) {
  double energy = 0;
  for (int a = 0; a < sites; a++)
    for (int b = 0; b < sites; b++) {
      const struct vector v = between(molecules[i].position[a], molecules[j].position[b]);
      const double squared = square(v);
      if (squared >= reach * reach) continue;
      double slope;
      const double r = __builtin_sqrt(squared);
      energy += site_energy(a, b, r, &slope);
      push(&sum[i * sites + (size_t)a], &sum[j * sites + (size_t)b], v, -slope / r);
    }
  return energy;
}

static double add_springs(size_t i, struct force* sum) {
  static const int ends[sites][2] = {{0, 1}, {0, 2}, {1, 2}};
  double energy = 0;
  for (int s = 0; s < sites; s++) {
    const int a = ends[s][0], b = ends[s][1];
    const struct vector v = between(molecules[i].position[a], molecules[i].position[b]);
    const double r = __builtin_sqrt(square(v)), stretch = r - rest[s];
    energy += spring * stretch * stretch / 2;
    push(&sum[i * sites + (size_t)a], &sum[i * sites + (size_t)b], v, -spring * stretch / r);
  }
  return energy;
}

/* The pairs of molecule i: those with the half of all that follows it, round the end. */
static size_t partners(size_t i) { return count % 2 == 0 && i >= count / 2 ? count / 2 - 1 : count / 2; }

static void add_to_molecule(size_t i, const struct force* sum) {
  pthread_mutex_lock(&molecules[i].lock);
  for (int s = 0; s < sites; s++) {
    molecules[i].force[s].x += sum[i * sites + (size_t)s].x;
    molecules[i].force[s].y += sum[i * sites + (size_t)s].y;
    molecules[i].force[s].z += sum[i * sites + (size_t)s].z;
  }
  pthread_mutex_unlock(&molecules[i].lock);
}

static void add_forces(size_t begin, size_t end, int thread) {
  struct force* const sum = sums[thread];
  memset(sum, 0, count * sites * sizeof *sum);
  int64_t energy = 0;
  for (size_t i = begin; i < end; i++) {
    energy += (int64_t)(add_springs(i, sum) / unit);
    for (size_t k = 1; k <= partners(i); k++) energy += (int64_t)(add_pair(i, (i + k) % count, sum) / unit);
  }
  for (size_t k = 0; k < count; k++) add_to_molecule((begin + k) % count, sum);
  pthread_mutex_lock(&energy_lock);
  potential += energy;
  pthread_mutex_unlock(&energy_lock);
}

static double inside(double position) {
  if (position < 0) return position + box;
  return position >= box ? position - box : position;
}

static void kick(struct molecule* m) {
  for (int s = 0; s < sites; s++) {
    const double factor = unit * time_step / (2 * mass[s]);
    m->velocity[s].x += (double)m->force[s].x * factor;
    m->velocity[s].y += (double)m->force[s].y * factor;
    m->velocity[s].z += (double)m->force[s].z * factor;
  }
}

static void drift(struct molecule* m) {
  for (int s = 0; s < sites; s++) {
    m->position[s].x = inside(m->position[s].x + m->velocity[s].x * time_step);
    m->position[s].y = inside(m->position[s].y + m->velocity[s].y * time_step);
    m->position[s].z = inside(m->position[s].z + m->velocity[s].z * time_step);
  }
}

static void simulate(int thread) {
  const size_t begin = part(count, thread), end = part(count, thread + 1);
  for (long step = 0; step < kernel.rounds; step++) {
    for (size_t i = begin; i < end; i++) {
      kick(&molecules[i]);
      drift(&molecules[i]);
      memset(molecules[i].force, 0, sizeof molecules[i].force);
    }
    if (thread == 0) potential = 0;
    wait_for_all();
    add_forces(begin, end, thread);
    wait_for_all();
    for (size_t i = begin; i < end; i++) kick(&molecules[i]);
  }
}

/* The forces before the first step. */
static void prepare(int thread) {
  (void)thread;
  if (thread == 0) potential = 0;
  wait_for_all();
  add_forces(part(count, thread), part(count, thread + 1), thread);
}

/* On a lattice, the light atoms above and below in one of three directions. */
static void place(size_t i, size_t side, double distance) {
  struct molecule* const m = &molecules[i];
  const struct vector at = {((double)(i % side) + 0.5) * distance, ((double)(i / side % side) + 0.5) * distance,
                            ((double)(i / side / side) + 0.5) * distance};
  const double along = rest[2] / 2, across = 0.2032; /* of the light atoms from the heavy one */
  pthread_mutex_init(&m->lock, NULL);
  for (int s = 0; s < sites; s++) {
    const double a = s == 0 ? 0 : s == 1 ? along : -along, b = s == 0 ? 0 : across;
    const struct vector turned[3] = {{a, b, 0}, {0, a, b}, {b, 0, a}};
    const struct vector offset = turned[scrambled((uint32_t)i) % 3];
    m->position[s] = (struct vector){at.x + offset.x, at.y + offset.y, at.z + offset.z};
    m->velocity[s] = (struct vector){0, 0, 0};
  }
}

/* Opposite velocities for molecules in pairs, so momentum is zero. */
static void heat(void) {
  for (size_t i = 0; i + 1 < count; i += 2)
    for (int s = 0; s < sites; s++) {
      const uint32_t at = (uint32_t)(i * 3);
      const struct vector v = {scrambled_real(at) / 2, scrambled_real(at + 1) / 2, scrambled_real(at + 2) / 2};
      molecules[i].velocity[s] = v;
      molecules[i + 1].velocity[s] = (struct vector){-v.x, -v.y, -v.z};
    }
}

/* *momentum becomes the sum of its parts' sizes. */
static double energy(double* momentum) {
  double kinetic = 0;
  struct vector sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    for (int s = 0; s < sites; s++) {
      const struct vector v = molecules[i].velocity[s];
      kinetic += mass[s] * square(v) / 2;
      sum.x += mass[s] * v.x, sum.y += mass[s] * v.y, sum.z += mass[s] * v.z;
    }
  *momentum = __builtin_sqrt(square(sum));
  return kinetic + (double)potential * unit;
}

int main(int argc, char** argv) {
  begin(argc, argv, "water", 64);
  count = kernel.size;
  size_t side = 2;
  while (side * side * side < count) side++;
  if (count > most_molecules) give_up("-n is too large");
  const double distance = 1.25;
  box = (double)side * distance;
  reach = box / 2 < 2.5 ? box / 2 : 2.5;
  molecules = array(count, sizeof *molecules);
  for (int t = 0; t < kernel.threads; t++) sums[t] = array(count * sites, sizeof *sums[t]);
  for (size_t i = 0; i < count; i++) place(i, side, distance);
  heat();
  run_team(prepare);
  double momentum;
  const double before = energy(&momentum);
  run_team(simulate);
  const double change = energy(&momentum) - before, allowed = 1e-5 * (double)count;
  uint64_t result = (uint64_t)potential;
  for (size_t i = 0; i < count; i++)
    result = result * 31 + checksum(molecules[i].position, sizeof molecules[i].position);
  for (int t = 0; t < kernel.threads; t++) free(sums[t]);
  free(molecules);
  return finish(change < allowed && -change < allowed && momentum < 1e-9, result);
}
