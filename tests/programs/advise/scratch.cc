/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Objects from outside of a loop, used as scratch in each iteration: an optimising compiler does away with their stores
 * where the source writes them all the same. `cdrgrind advise' should print no line for OpenMP for what stands behind
 * `scratch', unless it makes the object private, and one at these levels of optimisation for what stands behind
 * `result', whose stores are there.
 */
#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#define CALLED extern "C" __attribute__((noinline, noclone))

enum { N = 300 };
double x[N][3], y[N], z[N], kept[100];
int numbers[N];

struct Vec {
  double a = 0, b = 0, c = 0;
  Vec() {}
  Vec(double p, double q, double r) : a(p), b(q), c(r) {}
  void set(double v) { a = v, b = v + 1, c = v + 2; }
  void far(double v);
  Vec operator*(double f) const { return Vec(a * f, b * f, c * f); }
};
__attribute__((noinline)) void Vec::far(double v) { a = v; }
struct Matrix {
  double m[3][3];
  double &operator()(int i, int j) { return m[i][j]; }
};
struct Stack {
  int n = 0;
  double e[64];
  void push(double v) { e[n++] = v; }
  double pop() { return e[--n]; }
};
struct Row {
  double v[200];
};
struct Grid {
  int width;
  std::vector<double> all;
  double &operator()(int i, int j) { return all[i * width + j]; }
};
struct Work {
  double t[64];
  void go(int j);
};
std::vector<Vec> vecs(N), more(N);
std::vector<std::vector<double>> rows(N, std::vector<double>(20));
std::vector<std::string> names(N);
Grid grid{30, std::vector<double>(N * 30)};
Row out[N];

CALLED void beside_results() {
  double t[100];
  /* scratch */
  for (int i = 0; i < 64; i++) {
    for (int k = 0; k < 8; k++) t[k] = x[i][0] * (k + 1);
    double s = 0;
    for (int k = 0; k < 8; k++) s += t[k] * t[7 - k];
    t[20 + i] = s * 2;
  }
  double sum = 0;
  for (int i = 0; i < 64; i++) sum += t[20 + i];
  printf("beside results %g\n", sum);
}

CALLED void standard_array() {
  std::array<double, 100> t;
  /* scratch */
  for (int i = 0; i < N; i++) {
    t[i % 100] = y[i] * 3;
    z[i] = t[i % 100] + 1;
  }
}
CALLED void plain_array() {
  double t[100];
  /* scratch */
  for (int i = 0; i < N; i++) {
    t[numbers[i]] = y[i] * 3;
    z[i] = t[numbers[i]] + 1;
  }
}
CALLED void static_array(int j) {
  /* scratch */
  for (int i = 0; i < N; i++) {
    kept[j] = y[i] * 3;
    z[i] = kept[j] + 1;
  }
}
CALLED void by_restricted(double *__restrict t, int j) {
  /* scratch */
  for (int i = 0; i < N; i++) {
    t[j] = y[i] * 3;
    z[i] = t[j] + 1;
  }
}
CALLED void by_operator() {
  Matrix m;
  /* scratch */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 3; ++k) m(k, 0) = y[i] * k;
    z[i] = m(0, 0) + m(1, 0) * m(2, 0);
  }
}
CALLED void in_member() {
  Row t;
  /* scratch */
  for (int i = 0; i < N; i++) {
    t.v[numbers[i]] = y[i] * 3;
    z[i] = t.v[numbers[i]] + 1;
  }
}
CALLED void behind_pointer(Row *q) {
  /* scratch */
  for (int i = 0; i < N; i++) {
    q->v[3] = numbers[i] * 3;
    numbers[i] = (int)(q->v[3] + 1) % 64;
  }
}
void Work::go(int j) {
  /* scratch */
  for (int i = 0; i < N; i++) {
    t[j] = numbers[i] * 3;
    z[i] = t[j] + 1;
  }
}
CALLED void filled() {
  std::array<double, 4> t;
  /* scratch */
  for (int i = 0; i < N; i++) {
    std::fill(t.begin(), t.end(), y[i]);
    z[i] = t[0] + t[3];
  }
}
CALLED void by_range() {
  std::array<double, 4> t;
  /* scratch */
  for (int i = 0; i < N; i++) {
    for (double &v : t) v = y[i];
    z[i] = t[0] + t[3];
  }
}
CALLED void by_iterator() {
  std::vector<double> t(4);
  /* scratch */
  for (int i = 0; i < N; i++) {
    auto at = t.begin();
    *at = y[i] * 3;
    z[i] = *at + 1;
  }
}
CALLED void by_reference() {
  std::array<double, 64> t;
  /* scratch */
  for (int i = 0; i < N; i++) {
    double &r = t[numbers[i]];
    r = y[i] * 3;
    z[i] = r + 1;
  }
}
CALLED void by_stack() {
  Stack s;
  /* scratch */
  for (int i = 0; i < N; i++) {
    s.push(y[i]), s.push(y[i] + 1);
    z[i] = s.pop() * s.pop();
  }
}
CALLED void in_vector(int n) {
  std::vector<double> t(n);
  /* scratch */
  for (int i = 0; i < N; i++) {
    for (int k = 0; k < n; ++k) t[k] = y[i] * k;
    double s = 0;
    for (int k = 0; k < n; ++k) s += t[k];
    z[i] = s;
  }
}
CALLED void in_one_line() {
  double t[100];
  /* scratch */
  for (int i = 0; i < N; i++) { t[numbers[i]] = y[i] * 3; z[i] = t[numbers[i]] + 1; }
}

CALLED void elements(std::vector<double> &to, const std::vector<double> &from) {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    to[i] = from[i] * 2;
  }
}
CALLED void members() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    vecs[i].a = y[i];
    vecs[i].b = y[i] + 1;
  }
}
/* One of them is filled before the loop. */
CALLED void distributed() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    z[i] = numbers[i] * 0.5;
  }
}
CALLED void classes() {
  /* result O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    vecs[i] = Vec(y[i], 1, z[i]);
    more[i] = vecs[i] * 2;
  }
}
CALLED void by_sum(double *p) {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    *(p + i) = y[i] * 3;
  }
}
CALLED void filled_rows() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    std::fill(rows[i].begin(), rows[i].end(), 0.5);
  }
}
CALLED void of_grid() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < 30; j++) grid(i, j) = i * j;
  }
}
CALLED void zeroes_of_grid() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < 30; j++) grid(i, j) = 0;
  }
}
CALLED void references() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    auto &r = vecs[i];
    r.a = y[i];
    r.b = r.c = 0;
  }
}
CALLED void ranges() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    for (double &v : rows[i]) v = i;
  }
}
CALLED void methods() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    vecs[i].set(y[i]);
    more[i].far(y[i]);
  }
}
CALLED void strings() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    names[i] = "ab";
    names[i] += 'c';
  }
}
CALLED void copied() {
  /* result O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    memset(out[i].v, 0, sizeof out[i].v);
    memcpy(&x[i][0], out[i].v, sizeof x[i]);
  }
}
CALLED void over_lines(double (*m)[30]) {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < 30; j++) m[i][j] = 0;
    for (int j = 0; j < 30; j++)
      m[i][j] +=
          y[i] *
          j;
  }
}
CALLED void sorted() {
  /* result O0 O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    std::sort(rows[i].begin(), rows[i].end());
    std::swap(vecs[i], more[i]);
  }
}

/* A member of the argument is in a register, and put back for each copy. */
struct Input {
  int threads, some, lookups, mode;
  double f;
  int other;
  long more[12];
};
__attribute__((noinline)) static double by_copy(double *to, int k, Input in) {
  double s = 0;
  for (int i = 0; i < 20; i++) s += in.more[i % 12] * 0.5 + in.f * k;
  to[0] = s + in.lookups + in.other;
  return s;
}
CALLED void by_value(Input input) {
  int i;
  /* result O0 O1 O2 O3 */
  for (i = 0; i < input.lookups; i++) {
    double t[2];
    z[i] = by_copy(t, i, input) + t[0];
  }
}

/* The store of `last' has the line where its value is made. */
CALLED void neighbours(const int *begins, const int *sizes, int *last, int *next) {
  /* result O0 O2 */
  for (int i = 0; i < 10; i++) {
    int begin = begins[i];
    int size = sizes[i];
    for (int k = 0; k < size; k++) {
      int s = begin + k;
      int after = begin + (k + 1 == size ? 0 : k + 1);
      int before = begin + (k == 0 ? size : k) - 1;
      last[s] = before;
      next[s] = after;
    }
  }
}

/* A method that changes nothing, and a lambda whose body, put in line, stands in the line of its call. */
struct Graph {
  std::vector<std::vector<int>> of;
  const std::vector<int> &near(int i) const { return of[i]; }
};
static Graph graph;
CALLED void looked_at() {
  /* result O1 O2 O3 */
  for (int i = 0; i < N; i++) {
    double s = 0;
    for (int v : graph.near(i)) s += v;
    z[i] = s;
  }
}
CALLED void by_lambda(double (*m)[30]) {
  /* result O2 O3 */
  for (int i = 0; i < N; i++) {
    std::for_each(y, y + 30, [&](double &v) {
      m[i][&v - y] = v * 3;
    });
  }
}

static void print(const char *name) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += z[i] * (i % 7 + 1) + numbers[i];
  printf("%s %g\n", name, sum);
}
#define TRY(f, ...) f(__VA_ARGS__), print(#f)

int main() {
  static double m[N][30];
  double scratch[8];
  Row row;
  Work work;
  std::vector<double> from(N, 2.0), to(N);
  for (int i = 0; i < N; i++) y[i] = i % 17;
  for (int i = 0; i < N; i++) numbers[i] = i * 7 % 64;
  TRY(standard_array), TRY(plain_array), TRY(static_array, 3), TRY(by_restricted, scratch, 3), TRY(by_operator);
  TRY(in_member), TRY(behind_pointer, &row), TRY(work.go, 3), TRY(filled), TRY(by_range), TRY(by_iterator);
  TRY(by_reference), TRY(by_stack), TRY(in_vector, 30), TRY(in_one_line);
  printf("%g %g %g %g\n", kept[3], scratch[3], row.v[3], work.t[3]);
  TRY(elements, to, from), TRY(members), TRY(distributed), TRY(classes), TRY(by_sum, z), TRY(filled_rows);
  TRY(of_grid), TRY(zeroes_of_grid), TRY(references), TRY(ranges), TRY(methods), TRY(strings), TRY(copied);
  TRY(over_lines, m), TRY(sorted), TRY(beside_results);
  int begins[10], sizes[10], last[40], next[40];
  for (int i = 0; i < 10; i++) begins[i] = i * 4, sizes[i] = 4;
  TRY(neighbours, begins, sizes, last, next);
  printf("%d %d\n", last[8], next[11]);
  for (int i = 0; i < N; i++) graph.of.push_back(std::vector<int>(i % 4, i));
  TRY(looked_at), TRY(by_lambda, m);
  TRY(by_value, Input{1, 2, N, 0, 2.5, 3, {4, 5, 6}});
  printf("%g %g %g %s %g\n", to[3], vecs[7].b + more[8].a, grid.all[44] + out[9].v[1], names[8].c_str(), m[3][4]);
}
