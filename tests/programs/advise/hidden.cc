/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops that change variables from outside in ways that optimised code may hide: what `cdrgrind advise` should print of
 * them stands in the line before, `none` or the clauses, at -O0 and at -O2.
 */
#include <alloca.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <tuple>

#define CALLED extern "C" __attribute__((noinline))
#define SET(v) hidden = (v)
#define CROSS(d, x, y) d[0] = x[1] * y[2], d[1] = x[2] * y[0], d[2] = x[0] * y[1]

enum { N = 300 };
double x[N][3], z[N][3], y[N];
int grid[N][N], numbers[N];
double sums[3], scratch[3];

static inline void split(double whole, double *high, double *low) { *high = (float)whole, *low = whole - *high; }
static inline void split_into(double whole, double &high, double &low) { high = (float)whole, low = whole - high; }
struct Three {
  double a, b, c;
  void set(const double *p) { a = p[0], b = p[1], c = p[2]; }
  double product() const { return a * b + c; }
};

struct Point {
  double a, b;
  Point() = default;
  __attribute__((noinline)) Point(double u, double v) : a(u), b(v) {}
  __attribute__((noinline)) Point operator+(const Point &p) const { return {a + p.a, b + p.b}; }
  __attribute__((noinline)) void set(double u) { a = u, b = u * u; }
};
Point points[N];

// Objects that have no names: of a statement in the loop, and one that lives around it.
CALLED void unnamed_objects() {
  /* O0 #pragma omp parallel for O2 none */
  for (int i = 0; i < N; i++) points[i] = Point(x[i][0], x[i][1]) + Point(y[i], i);
}
CALLED void unnamed_around() {
  Point &&p = Point(1, 2);
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    p.set(x[i][2]);
    y[i] += p.a * p.b;
  }
}

CALLED int last_of_rows(int skipped) {
  int last = -1;
  /* O0 lastprivate(conditional:last) O2 none */
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++)
      if (k != skipped) last = numbers[i] * 3 + k;
  return last;
}

// Parameters that have the names of what they point to: no clause can name that.
CALLED void summed_by_parameter(double *sums) {
  /* O0 none O2 none */
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) sums[k] += x[i][k];
}
CALLED void kept_by_parameter(double *scratch,
                              int n)
{
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) scratch[k] = x[i][k] - 1;
    y[i] += scratch[0] * scratch[1] + scratch[2];
  }
}
static inline void count_in(const int *p, unsigned counts[8]) {
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) ++counts[p[i] & 7];
}
CALLED int by_array_of_caller() {
  unsigned counts[8] = {};
  count_in(numbers, counts);
  return static_cast<int>(counts[3] + counts[5]);
}
CALLED int by_array() {
  unsigned counts[8] = {};
  /* O0 reduction(+:counts) O2 reduction(+:counts) */
  for (int i = 0; i < N; i++) ++counts[numbers[i] & 7];
  return static_cast<int>(counts[2] + counts[4]);
}
CALLED void elements() {
  double v[3];
  /* O0 private(v) O2 none */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) v[k] = x[i][k] - 1;
    y[i] += v[0] * v[1] + v[2];
  }
}
CALLED void by_pointers() {
  double high, low;
  /* O0 private(high) private(low) O2 none */
  for (int i = 0; i < N; i++) {
    split(x[i][0], &high, &low);
    y[i] += high * low;
  }
}
CALLED void by_references() {
  double high, low;
  /* O0 private(high) private(low) O2 none */
  for (int i = 0; i < N; i++) {
    split_into(x[i][0], high, low);
    y[i] += high * low;
  }
}
CALLED void by_member() {
  Three v;
  /* O0 private(v) O2 none */
  for (int i = 0; i < N; i++) {
    v.set(x[i]);
    y[i] += v.product();
  }
}
CALLED void by_lambda() {
  double t;
  auto add = [&](int i) {
    t = x[i][1];
    y[i] += t * t;
  };
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) add(i);
}
CALLED void by_macro() {
  double hidden, d[3];
  /* O0 private(d) private(hidden) O2 none */
  for (int i = 0; i < N; i++) {
    SET(x[i][1]);
    CROSS(d, x[i], z[i]);
    y[i] += hidden * d[0] + d[1] * d[2];
  }
}
CALLED void copied() {
  double t;
  /* O0 private(t) O2 none */
  for (int i = 0; i < N; i++) {
    memcpy(&t, &x[i][2], sizeof t);
    y[i] += t * t;
  }
}
CALLED void tied() {
  double a, b;
  /* O0 private(b) private(a) O2 none */
  for (int i = 0; i < N; i++) {
    std::tie(a, b) = std::pair<double, double>(x[i][0], z[i][1]);
    y[i] += a * b;
  }
}
CALLED void in_array() {
  std::array<double, 3> v;
  /* O0 private(v) O2 none */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) v[k] = x[i][k] + 1;
    y[i] += v[0] * v[1] * v[2];
  }
}
/* What has no name in debug information is no compiler's own if its place is computed. */
CALLED void of_any_size(int n) {
  int line[n];
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) line[k] = i * k;
    for (int k = 0; k < n; k++) grid[i][k] = line[n - 1 - k];
  }
}
CALLED void allocated(int n) {
  int *line = (int *)alloca(n * sizeof(int));
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) line[k] = i + k;
    for (int k = 0; k < n; k++) grid[i][k] += line[n - 1 - k];
  }
}
CALLED void aligned() {
  int line[64] __attribute__((aligned(64)));
  /* O0 none O2 none */
  for (int i = 0; i < 64; i++) {
    for (int k = 0; k < 64; k++) line[k] = i * k;
    for (int k = 0; k < 64; k++) grid[i][k] += line[63 - k];
  }
}
/* Another name leads to the same variable. */
CALLED void read_by_pointer() {
  double t, *p = &t;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    t = x[i][0];
    y[i] += *p * 2;
  }
}
CALLED void written_by_pointer() {
  double t = 0, *p = &t;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    *p = x[i][0];
    y[i] += 2;
  }
  y[0] += t;
}
CALLED void counted_by_pointer() {
  int t = 0, *p = &t;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    (*p)++;
    y[i] += 2;
  }
  y[0] += t;
}
CALLED void read_by_reference() {
  double t;
  double &r = t;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    t = x[i][0];
    y[i] += r * 2;
  }
}
CALLED void written_by_reference() {
  double &r = y[0];
  /* O0 none O2 none */
  for (int i = 1; i < N; i++) {
    r = x[i][0];
    y[i] += r * 2;
  }
}
CALLED void array_by_reference() {
  double v[3];
  double(&r)[3] = v;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) r[k] = x[i][k];
    y[i] += v[0] + v[1];
  }
}
CALLED void array_by_pointer() {
  double v[3], *p = v;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; k++) v[k] = x[i][k];
    y[i] += p[0] + p[1];
  }
}
CALLED void read_by_lambda() {
  double t;
  auto twice = [&] { return t * 2; };
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    t = x[i][0];
    y[i] += twice();
  }
}
CALLED void summed_by_lambda() {
  double t = 0;
  auto add = [&](int i) { t += x[i][1]; };
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    add(i);
    t += 1;
  }
  y[0] += t;
}
double somewhere;
double *const leads = &somewhere;
CALLED void global_by_pointer(double *p) {
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    somewhere = x[i][0];
    y[i] += *p;
  }
}
CALLED void by_pointer_of_body() {
  double t;
  /* O0 private(t) O2 none */
  for (int i = 0; i < N; i++) {
    double *p = &t;
    *p = x[i][1];
    y[i] += t;
  }
}
CALLED void in_parentheses() {
  double t = 0, u = 0;
  /* O0 lastprivate(u) lastprivate(t) O2 none */
  for (int i = 0; i < N; i++) {
    (t) = x[i][0], *&u = x[i][1];
    y[i] += 2;
  }
  y[0] += t + u;
}
CALLED void chosen(int first) {
  double t = 0, u = 0;
  /* O0 lastprivate(conditional:u) lastprivate(conditional:t) O2 none */
  for (int i = 0; i < N; i++) {
    (first ? t : u) = x[i][0];
    y[i] += 2;
  }
  y[0] += t * 2 + u;
}
/* Which iteration stores last depends on what is there. */
CALLED int last_above(int least) {
  int last = -1;
  /* O0 lastprivate(conditional:last) O2 none */
  for (int i = 0; i < N; i++)
    if (numbers[i] % 10 > least) last = i;
  return last;
}
CALLED int last_of_all() {
  int last = -1;
  /* O0 lastprivate(last) O2 none */
  for (int i = 0; i < N; i++) {
    last = numbers[i] * 3;
    numbers[i] = last % 100 + i % 10;
  }
  return last;
}
/* The loop may have no iteration, and its clause is not to lose what was there. */
volatile int kept;
CALLED int last_or(int first, int n) {
  int last = first;
  /* O0 lastprivate(conditional:last) O2 none */
  for (int i = 0; i < n; i++) {
    last = numbers[i] * 3;
    numbers[i] = last % 100 + i % 10;
  }
  return last;
}
CALLED int kept_or(int first, int n) {
  kept = first;
  /* O0 lastprivate(conditional:kept) O2 lastprivate(conditional:kept) */
  for (int i = 0; i < n; i++) kept = i * 3;
  return kept;
}
CALLED double pair_or(double first, int n) {
  double pair[2] = {first, 2};
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 2; k++) pair[k] = x[i][k];
    y[i] += pair[0] - pair[1];
  }
  return pair[0] + pair[1];
}
/* So it is where a loop within may have none in the last iteration. */
CALLED int last_within(int n) {
  int last = -1;
  /* O0 lastprivate(conditional:last) O2 none */
  for (int i = 0; i < N; i++)
    for (int k = 0; k < numbers[i] % n; k++) last = i + k;
  return last;
}
CALLED void with_static() {
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    static double t;
    t = x[i][1];
    y[i] += t;
  }
}
CALLED void counter_changed() {
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    if (x[i][0] < -1) {
      i++;
      continue;
    }
    y[i] += 1;
  }
}
/* A word in a comment is no variable of the loop's. */
CALLED double by_address() {
  double s = 0, *at = &s;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    *at += x[i][0]; /* s, by its address */
  }
  return s;
}

/* Each iteration begins by giving them a value, and nobody reads it elsewhere. */
CALLED void own_by_text(int n) {
  int i, j, k;
  double t;
  /* O0 private(t) private(k) private(j) lastprivate(i) O2 private(j) private(k) private(t) lastprivate(i) */
  for (i = 0; i < n; i++) {
    t = y[i] * 2;
    for (j = 0; j < 3; j++) z[i][j] += t + x[i][j];
    for (k = 0; k < n; k += 2) grid[i][k] = k + i;
  }
  for (j = 0; j < 3; j++) y[j] += 1;
}
CALLED double halved(double v) { return v / 2; }
/* What is assigned first may be assigned again where a condition says. */
CALLED void assigned_again(int n) {
  double t;
  /* O0 private(t) O2 private(t) */
  for (int i = 0; i < n; i++) {
    t = y[i];
    if (i % 7 == 0) t = halved(t);
    y[i] = t / 7.0;
  }
}
CALLED void under_another() {
#pragma GCC ivdep /* O0 none O2 none */
  for (int i = 0; i < N; i++) numbers[i] += i;
}
CALLED void under_one_of_several() {
#ifdef __INTEL_COMPILER
#pragma unroll(4)
#else
#pragma GCC unroll 4
#endif /* O0 none O2 none */
  for (int i = 0; i < N; i++) numbers[i] += i % 3;
}
CALLED void for_other_compilers(int n) {
  double t;
#ifdef __INTEL_COMPILER
#pragma simd
#endif /* O0 private(t) O2 private(t) */
  for (int i = 0; i < n; i++) {
    t = y[i];
    if (i % 5 == 0) t = halved(t);
    y[i] = t * 3.0;
  }
}
CALLED void by_twos() {
  /* O0 none O2 none */
  for (int i = 0; i != N; i += 2) numbers[i] += 7;
}
enum Flags { kNone, kSome = 2, kMany = 4 };
CALLED int all_flags() {
  Flags all = kNone;
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) all = Flags(all | (numbers[i] > 90 ? kMany : kSome));
  return all;
}
CALLED long lowest_place() {
  static int *places[N];
  for (int i = 0; i < N; i++) places[i] = &numbers[(i * 7 + 100) % N];
  int *least = places[0];
  /* O0 none O2 none */
  for (int i = 0; i < N; i++)
    if (places[i] < least) least = places[i];
  return least - numbers;
}
constexpr int of_constants(int n) {
  int s = 0;
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) s += i ^ 5;
  return s;
}
struct Data {
  static double total;
  static int scratch;
  __attribute__((noinline)) void change() {
    /* O0 none O2 none */
    for (int i = 0; i < N; i++) total += numbers[i];
    /* O0 none */
    for (int i = 0; i < N; i++) {
      scratch = numbers[i] * 2;
      numbers[i] = scratch - numbers[i];
    }
  }
};
double Data::total;
int Data::scratch;
struct Made {
  double a, b;
  explicit Made(double v) : a(v), b(v) {}
  __attribute__((noinline)) void set(double v) { a = v, b = v * 2; }
};
CALLED void made_by_value() {
  Made m(3);
  /* O0 none O2 none */
  for (int i = 0; i < N; i++) {
    m.set(numbers[i]);
    y[i] += m.a + m.b;
  }
}
/* Values that are made for a call are the compiler's. */
CALLED int bounded(int n) {
  int most = 0;
  /* O0 reduction(max:most) O2 reduction(max:most) */
  for (int i = 0; i < n; i++) most = std::max(most, numbers[i] % 100);
  return most;
}
std::array<std::pair<int, int>, N> pairs;
CALLED int of_pairs() {
  int s = 0;
  /* O0 reduction(+:s) O2 none */
  for (auto [a, b] : pairs) s += a * b;
  return s;
}
double seen;
static void look(int i) { numbers[i] += seen > 3; }
CALLED void seen_by_callee() {
  /* O0 none */
  for (int i = 0; i < N; i++) {
    seen = y[i];
    look(i);
  }
}
CALLED int walked(int n) {
  int s = 0, at = 0;
  while (at < n) {
    s += numbers[at];
    at++;
  }
  return s;
}
/* The block around the loop has no other code. */
CALLED void in_block(int some) {
  if (some) {
    double t;
    int i;
    /* O0 private(t) lastprivate(i) O2 private(t) lastprivate(i) */
    for (i = 0; i < N; i++) {
      t = y[i] * 3;
      y[i] = t > 100 ? t - i : t;
    }
  }
}
static unsigned long long skipped(unsigned long long seed, unsigned long long n) {
  unsigned long long a = 2806196910506780709ULL, c = 1, all = 1, added = 0;
  for (; n > 0; n >>= 1) {
    if (n & 1) all *= a, added = added * a + c;
    c *= a + 1;
    a *= a;
  }
  return (all * seed + added) >> 1;
}
CALLED int picked(unsigned long long *seed) {
  *seed = *seed * 2806196910506780709ULL + 1;
  return *seed >> 60;
}
/* The compiler knows the first seed: what an iteration of the code ends with, the next one's first statement makes. */
CALLED unsigned long long made_ahead(int n) {
  unsigned long long sum = 0;
  /* O0 reduction(+:sum) O2 reduction(+:sum) */
  for (int i = 0; i < n; i++) {
    unsigned long long seed = skipped(1070, 2 * i);
    int k = picked(&seed);
    sum += (unsigned long long)numbers[k] + (seed & 3);
  }
  return sum;
}
/* Where the source does so, it carries. */
static unsigned long long left = 1070;
CALLED void handed_on(int n) {
  /* O0 none O2 none */
  for (int i = 0; i < n; i++) {
    numbers[i] += left % 7;
    left = skipped(1070, 2 * i + 2);
  }
}

int main() {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) {
      x[i][k] = i + k;
      z[i][k] = k * i % 7;
      numbers[i] = i;
    }
  int found = by_array() + by_array_of_caller();
  summed_by_parameter(sums);
  kept_by_parameter(scratch, N);
  elements();
  unnamed_objects();
  unnamed_around();
  found += last_of_rows(1);
  by_pointers();
  by_references();
  by_member();
  by_lambda();
  by_macro();
  copied();
  tied();
  in_array();
  of_any_size(N);
  allocated(N);
  aligned();
  read_by_pointer();
  written_by_pointer();
  counted_by_pointer();
  read_by_reference();
  written_by_reference();
  array_by_reference();
  array_by_pointer();
  read_by_lambda();
  summed_by_lambda();
  global_by_pointer(leads);
  by_pointer_of_body();
  in_parentheses();
  chosen(1);
  chosen(0);
  found += last_above(5) + last_of_all();
  for (int n = 0; n < 5; n++) found += last_or(n, n / 2) * 7 + kept_or(n, n / 2) * 11 + (int)(pair_or(n, n / 2) * 13);
  found += last_within(3);
  with_static();
  counter_changed();
  own_by_text(N);
  assigned_again(N);
  under_another();
  in_block(found);
  handed_on(N);
  under_one_of_several();
  for_other_compilers(N);
  by_twos();
  Data().change();
  made_by_value();
  found += all_flags() + static_cast<int>(lowest_place()) + of_constants(N + found) + bounded(N);
  pairs.fill({3, 4});
  seen_by_callee();
  found += of_pairs() + walked(N);
  double s = by_address() + made_ahead(N) + sums[1] + scratch[2];
  for (int i = 0; i < N; i++) s += y[i] * (i % 5) + grid[i][N - 1 - i] + z[i][i % 3] + numbers[i] + points[i].a * points[i].b;
  std::printf("%.12g %d %g\n", s, found, Data::total);
}
