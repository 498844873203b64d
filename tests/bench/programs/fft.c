/* SPDX-License-Identifier: GPL-2.0-or-later
 * fft -n POINTS (a power of four) -r ROUNDS -t THREADS: a Fourier transform in six steps, the points as a square:
 * transpose, transform rows, twiddle, transpose, transform rows, transpose (Bailey 1990). Regular: counted loops,
 * constant strides, barriers. Every round transforms what the round before left, and keeps the norm. Right if the
 * last round has the norm of its input and two of its points are as the sum over all inputs says. */
#include "tests/bench/programs/kernel.h"

struct number {
  double re, im;
};

static size_t side;          /* of the square */
static struct number* roots; /* exp(-2 pi i k / points) */
static struct number *in, *out, *work;

static struct number times(struct number a, struct number b) {
  return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* By halving angles, and root k as the product of two that are there. */
static void make_roots(size_t n) {
  double cosine = -1; /* of the angle 2 pi / (n / bit) */
  roots[0] = (struct number){1, 0};
  for (size_t bit = n / 2; bit > 0; bit /= 2) {
    roots[bit] = (struct number){cosine, -__builtin_sqrt(1 - cosine * cosine)};
    /* Near 1 the sine loses digits in 1 - cosine^2: half the angle's sine is taken from the sine before. */
    if (bit < n / 8) roots[bit].im = roots[2 * bit].im / (2 * cosine);
    cosine = __builtin_sqrt((1 + cosine) / 2);
  }
  for (size_t bit = 2; bit < n; bit *= 2)
    for (size_t k = 1; k < bit; k++) roots[bit + k] = times(roots[bit], roots[k]);
}

static void transpose(const struct number* from, struct number* to, double factor, int thread) {
  const size_t end = part(side, thread + 1);
  for (size_t i = part(side, thread); i < end; i++)
    for (size_t j = 0; j < side; j++) {
      to[i * side + j].re = from[j * side + i].re * factor;
      to[i * side + j].im = from[j * side + i].im * factor;
    }
}

static void reverse_bits(struct number* row) {
  for (size_t i = 1, j = 0; i < side; i++) {
    size_t bit = side / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) {
      const struct number kept = row[i];
      row[i] = row[j];
      row[j] = kept;
    }
  }
}

static void transform_row(struct number* row) {
  reverse_bits(row);
  for (size_t half = 1; half < side; half *= 2) {
    const size_t step = side * side / (2 * half);
    for (size_t at = 0; at < side; at += 2 * half)
      for (size_t k = 0; k < half; k++) {
        const struct number a = row[at + k], b = times(row[at + k + half], roots[k * step]);
        row[at + k] = (struct number){a.re + b.re, a.im + b.im};
        row[at + k + half] = (struct number){a.re - b.re, a.im - b.im};
      }
  }
}

static void transform_rows(struct number* rows, int twiddle, int thread) {
  const size_t end = part(side, thread + 1);
  for (size_t i = part(side, thread); i < end; i++) {
    struct number* const row = rows + i * side;
    transform_row(row);
    for (size_t j = 0; twiddle && j < side; j++) row[j] = times(row[j], roots[i * j]);
  }
}

static void transform(int thread) {
  for (long round = 0; round < kernel.rounds; round++) {
    const struct number* const from = round % 2 ? out : in;
    struct number* const to = round % 2 ? in : out;
    transpose(from, to, 1, thread);
    transform_rows(to, 1, thread);
    wait_for_all();
    transpose(to, work, 1, thread);
    transform_rows(work, 0, thread);
    wait_for_all();
    transpose(work, to, 1.0 / (double)side, thread);
    wait_for_all();
  }
}

static int is_near(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }

static int point_is_right(size_t n, const struct number* from, const struct number* to, size_t point) {
  struct number sum = {0, 0};
  for (size_t k = 0; k < n; k++) {
    const struct number term = times(from[k], roots[point * k % n]);
    sum.re += term.re;
    sum.im += term.im;
  }
  return is_near(sum.re / (double)side, to[point].re) && is_near(sum.im / (double)side, to[point].im);
}

static double norm(size_t n, const struct number* numbers) {
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += numbers[k].re * numbers[k].re + numbers[k].im * numbers[k].im;
  return sum / (double)n;
}

int main(int argc, char** argv) {
  begin(argc, argv, "fft", 65536);
  const size_t n = kernel.size;
  for (side = 2; side * side < n; side *= 2) continue;
  if (side * side != n) give_up("-n is not a power of four");
  roots = array(n, sizeof *roots);
  in = array(n, sizeof *in);
  out = array(n, sizeof *out);
  work = array(n, sizeof *work);
  make_roots(n);
  for (size_t k = 0; k < n; k++)
    in[k] = (struct number){scrambled_real(2 * (uint32_t)k), scrambled_real(2 * (uint32_t)k + 1)};
  run_team(transform);
  const struct number* const from = kernel.rounds % 2 ? in : out;
  const struct number* const to = kernel.rounds % 2 ? out : in;
  const int is_right = is_near(norm(n, from), norm(n, to)) && point_is_right(n, from, to, 1) &&
                       point_is_right(n, from, to, n / 2 + side / 2 + 1);
  const uint64_t result = checksum(to, n * sizeof *to);
  free(work);
  free(out);
  free(in);
  free(roots);
  return finish(is_right, result);
}
