/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops that stand in the C++ library's headers, and are called for here: what of its algorithms `cdrgrind advise` should
 * name as the parallel form stands in the line of the call, `none` where there is none, or other values are changed.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

enum { N = 1000 };

static double total(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0);  // std::reduce
}

static double product(const std::vector<double>& v, const std::vector<double>& w) {
  return std::inner_product(v.begin(), v.end(), w.begin(), 0.0);  // std::transform_reduce
}

__attribute__((noinline)) static double with_others(std::vector<double>& w) {
  double sum = 0;
  std::for_each(w.begin(), w.end(), [&](double a) { sum += a; });  // none
  return sum;
}

__attribute__((noinline)) static void scaled(const std::vector<double>& v, std::vector<double>& w) {
  std::transform(v.begin(), v.end(), w.begin(), [](double a) { return a * 2; });  // std::transform
}

__attribute__((noinline)) static void roots(std::vector<double>& w) {
  std::for_each(w.begin(), w.end(), [](double& a) { a = std::sqrt(a); });  // std::for_each
}

__attribute__((noinline)) static void sums_so_far(std::vector<double>& w) {
  std::partial_sum(w.begin(), w.end(), w.begin());  // none
}

__attribute__((noinline)) static void cleared(std::vector<double>& v) {
  std::fill(v.begin(), v.end(), 1.0);  // std::fill
}

int main() {
  std::vector<double> v(N), w(N);
  for (int i = 0; i < N; i++) v[i] = i;
  scaled(v, w);
  roots(w);
  double sum = total(v) + product(v, w) + with_others(w);
  sums_so_far(w);
  sum += total(w);
  cleared(v);
  std::printf("%g %g %g\n", sum, v[5], w[6]);
}
