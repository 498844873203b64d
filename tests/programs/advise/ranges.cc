/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops of C++ over ranges and with iterators: without optimisation each step and each comparison is a call. What is
 * said at their lines is as in cases.c.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <iterator>
#include <list>
#include <sstream>
#include <string>
#include <vector>

#define CALLED extern "C" __attribute__((noinline))

enum { N = 200 };

std::vector<double> a(N, 1.5), b(N, 2.5), flags(N, 1);
std::vector<std::vector<double>> rows(20, std::vector<double>(30, 1));
std::list<int> links(N, 3);
std::deque<int> chunks(N, 3);
std::string text(N, 'a');
int plain[N], limit = N, found;

/* By a function that says where it is. */
static __attribute__((noinline)) void step(int *i) { ++*i; }
static __attribute__((noinline)) void step_over(int *i, const int *skipped) {
  ++*i;
  if (skipped[*i % N] == 9) ++*i;
}
static __attribute__((noinline)) bool is_less(const int *i, const int *n) { return *i < *n; }
static __attribute__((noinline)) bool is_flagged(const std::vector<double>::iterator &i) { return *i > 0; }
static __attribute__((noinline)) int count_found() { return N - found; }

/* Any element can be come to at once. */
struct EveryOther {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = int *;
  using reference = int &;
  int *at;
  int &operator*() const { return *at; }
  EveryOther &operator++() {
    at += 2;
    return *this;
  }
  EveryOther &operator+=(std::ptrdiff_t n) {
    at += 2 * n;
    return *this;
  }
  std::ptrdiff_t operator-(const EveryOther &o) const { return (at - o.at) / 2; }
  bool operator<(const EveryOther &o) const { return at < o.at; }
};
struct NoSevens {
  int *at;
  int &operator*() const { return *at; }
  NoSevens &operator++() {
    do
      ++at;
    while (*at == 7);
    return *this;
  }
  bool operator!=(const NoSevens &o) const { return at != o.at; }
};

CALLED double sum() {
  double s = 0;
  for (double x : a) /* = sum parallel private reduction ; O2 parallel reduction */
    s += x;
  return s;
}

CALLED void scale() {
  for (double &x : a) /* = scale parallel private ; O2 parallel */
    x *= 2;
}

CALLED void scale_rows() {
  for (auto &row : rows) /* = scale_rows parallel private ; O2 parallel */
    for (auto &x : row) /* = scale_row parallel private ; O2 parallel */
      x *= 2;
}

CALLED void letters() {
  for (char &c : text) /* = letters parallel private ; O2 parallel */
    c = static_cast<char>(c + 1);
}

CALLED int sum_of_plain() {
  int s = 0;
  for (int x : plain) /* = sum_of_plain parallel private reduction ; O2 parallel reduction */
    s += x;
  return s;
}

CALLED void by_iterator() {
  for (auto i = a.begin(); i != a.end(); ++i) /* = by_iterator parallel private ; O2 parallel */
    *i += 1;
}

CALLED void by_iterator_after() {
  for (auto i = a.begin(); i < a.end(); i++) /* = by_iterator_after parallel private ; O2 parallel */
    *i += 1;
}

CALLED void backwards() {
  for (auto i = a.rbegin(); i != a.rend(); ++i) /* = backwards parallel private ; O2 parallel */
    *i += 1;
}

CALLED double running_sum() {
  double s = 0;
  for (double &x : a) { /* = running_sum pipeline private recurrence ; O2 pipeline recurrence */
    s += x;
    x = s;
  }
  return s;
}

CALLED double greatest() {
  double m = 0;
  for (size_t i = 0; i < a.size(); ++i) /* = greatest parallel reduction */
    m = std::max(m, a[i]);
  return m;
}

CALLED int least() {
  int m = N;
  for (int x : plain) /* = least parallel private reduction ; O2 parallel reduction */
    m = std::min(x + 1, m);
  return m;
}

CALLED int greatest_made() {
  int m = 0;
  for (int i = 0; i < N; ++i) /* = greatest_made parallel private reduction ; O2 parallel reduction */
    m = std::max(m, plain[i] + 1);
  return m;
}

CALLED double greatest_stored() {
  double m = 0;
  for (size_t i = 0; i < b.size(); ++i) /* = greatest_stored pipeline private recurrence ; O2 pipeline recurrence */
    b[i] = m = std::max(m, a[i]);
  return m;
}

CALLED double greatest_seen() {
  double m = 0;
  int seen = 0;
  for (size_t i = 0; i < a.size(); ++i) { /* = greatest_seen pipeline recurrence ; O2 pipeline recurrence reduction */
    m = std::max(m, a[i]);
    if (m > 10) ++seen;
  }
  found = 0;
  return m + seen;
}

CALLED void list() {
  for (int &x : links) /* = list tasks private traversal exit ; O2 tasks traversal exit */
    ++x;
}

CALLED void in_chunks() {
  for (int &x : chunks) /* = in_chunks tasks private traversal exit ; O2 tasks traversal exit */
    ++x;
}

CALLED double until_negative() {
  double s = 0;
  for (auto i = a.begin(); i != a.end() && *i >= 0; ++i) /* = until_negative sequential private reduction exit ; O2 sequential reduction exit */
    s += *i;
  return s;
}

CALLED double while_flagged() {
  double s = 0;
  for (auto i = flags.begin(); is_flagged(i); ++i) /* = while_flagged sequential reduction exit */
    s += *i;
  return s;
}

CALLED void every_other() {
  EveryOther end{plain + N};
  for (EveryOther i = EveryOther{plain}; i < end; ++i) /* = every_other parallel ; O2 parallel */
    *i = 3;
}

/* OpenMP wants their counters to begin in another way. */
CALLED void from_braces() {
  for (int i{1}; i < limit; ++i) /* = from_braces parallel */
    plain[i] = i;
}

CALLED void from_parentheses() {
  for (EveryOther i(EveryOther{plain}); i < EveryOther{plain + N}; ++i) /* = from_parentheses parallel private ; O2 parallel */
    *i += 2;
}

CALLED void from_before() {
  int i = 2;
  for (; i < limit; ++i) /* = from_before parallel */
    plain[i] += 1;
}

CALLED void beside_a_bound() {
  for (int i = 0, end = limit / 2; i < end; ++i) /* = beside_a_bound parallel */
    plain[i] += 3;
}

CALLED void no_sevens() {
  NoSevens end{plain + N};
  for (NoSevens i{plain}; i != end; ++i) /* = no_sevens sequential anti recurrence exit */
    *i = 3;
}

CALLED void stepped() {
  for (int i = 0; i < N; step(&i)) /* = stepped parallel ; O2 sequential recurrence */
    plain[i] = i;
}

CALLED void stepped_twice() {
  for (int i = 0; i < N - 1; step(&i)) { /* = stepped_twice parallel ; O2 sequential recurrence */
    plain[i] = i;
    step(&i);
  }
}

CALLED void stepped_sometimes() {
  for (int i = 0; i < N - 1; step(&i)) { /* = stepped_sometimes sequential recurrence exit */
    if (plain[i] == 9) step(&i);
    plain[i] = 0;
  }
}

CALLED void stepped_over() {
  for (int i = 0; i < N; step_over(&i, plain)) /* = stepped_over sequential recurrence exit */
    b[i] = 0;
}

CALLED void up_to_limit() {
  for (int i = 0; is_less(&i, &limit); step(&i)) /* = up_to_limit parallel ; O2 sequential recurrence exit */
    plain[i] = i;
}

CALLED void up_to_found() {
  for (int i = 0; is_less(&i, &limit); step(&i)) /* = up_to_found sequential recurrence exit */
    if (plain[i] == 150) limit = 180;
}

CALLED void up_to_one_of_two() {
  int end;
  for (int i = 0; end = N, plain[i] == 170 ? end = i : 0, is_less(&i, &end); step(&i)) /* = up_to_one_of_two sequential private exit ; O2 sequential recurrence exit */
    b[i] = 0;
}

CALLED void up_to_count() {
  for (int i = 0; i < count_found(); ++i) /* = up_to_count sequential recurrence exit */
    if (plain[i] > 100) ++found;
}

/* Left in the middle, for what is made of the counter alone; at a place that the counter comes to. */
CALLED int left_by_counter(int x) {
  for (int i = 2; i < x; i++) /* = left_by_counter sequential exit */
    if (x % i == 0) return i;
  return 0;
}
CALLED int left_at_one(int one) {
  int i;
  for (i = 0; i < N; i++) { /* = left_at_one sequential exit */
    if (i == one) break;
    b[i] += one;
  }
  return i;
}

/* No cell is within: compilers ask that once for all rows, and go to another version of both loops if there is one. */
CALLED void reflected(int width, int height, int within) {
  for (int row = within; row < height - within; ++row) /* = reflected parallel private ; O2 parallel */
    for (int cell = 0; cell < within; ++cell)
      plain[row * width + width - within + cell] = 2 * plain[row * width + width - 1 - within - cell];
}

/* Compilers go on with what memset and memmove return. */
double table[20][30], other[20][30];
CALLED void cleared(int height, int width) {
  for (int row = 0; row < height; ++row) /* = cleared parallel private ; O2 parallel */
    for (int cell = 0; cell < width; ++cell) table[row][cell] = 0;
}
CALLED void moved(int height, int width) {
  for (int row = 0; row < height; ++row) /* = moved parallel private ; O2 parallel */
    for (int cell = 0; cell < width; ++cell) other[row][cell] = other[row][cell + 1];
}

/* Put in line, functions count up in registers what they have as members, or an argument. */
struct Out {
  int *at;
  void put(int x) { *at++ = x; }
};
struct Pile {
  int *cells, most, size;
  void push(int x) { cells[size] = x, size++; }
};
static inline void put(Out *out, int x) { out->put(x); }
CALLED void put_by_member(int count) {
  Out out = {plain};
  for (int i = 0; i < count; i++) /* = put_by_member parallel */
    out.put(i * i);
}
CALLED void put_by_argument(int count) {
  Out out = {plain};
  for (int i = 0; i < count; i++) /* = put_by_argument parallel */
    put(&out, i * i);
}
CALLED int piled(int count) {
  Pile pile = {plain, N, 0};
  for (int i = 0; i < count; i++) { /* = piled parallel */
    pile.push(i * i);
  }
  return pile.size;
}
CALLED void put_by_own(int count) {
  for (int i = 0; i < count; i++) { /* = put_by_own parallel private ; O2 parallel */
    Out out = {plain + 2 * i};
    out.put(i), out.put(2 * i);
  }
}

/* A truth value is 0 or 1 whatever it is made of; its byte is all that is written of a register. */
CALLED bool any_above(double least) {
  bool any = false;
  for (int i = 0; i < N; i++) /* = any_above parallel reduction ; O2 parallel private reduction */
    any |= a[i] > least;
  return any;
}
/* libm sets errno where a power is too small for a double. */
CALLED void powers(double x) {
  for (int i = 0; i < N; i++) /* = powers parallel private */
    b[i] = std::pow(x, i * 10);
}
std::ostringstream printed_text;
CALLED void printed() {
  for (int i = 0; i < N; i++) /* = printed ordered output */
    printed_text << b[i] << " ";
}
/* Of a structure all members, or one. */
struct Pair {
  double x, y;
};
CALLED void by_pair() {
  Pair p;
  for (int i = 0; i < N; i++) { /* = by_pair parallel private ; O2 parallel */
    p.x = i, p.y = 2 * i;
    b[i] = p.x * p.y;
  }
}
CALLED double sum_in_pair() {
  Pair p = {0, 1};
  for (int i = 0; i < N; i++) /* = sum_in_pair parallel reduction */
    p.x += a[i];
  return p.x + p.y;
}

/* The comparison's end goes on behind it where the value is less: compilers, and Valgrind, turn that around. */
CALLED int least_of_ints() {
  int least = 1000;
  for (int i = 0; i < N; i++) { /* = least_of_ints parallel private reduction ; O2 parallel reduction */
    int x = plain[i];
    if (x < least) least = x;
  }
  return least;
}

int main() {
  double s = sum();
  scale();
  scale_rows();
  letters();
  by_iterator();
  by_iterator_after();
  backwards();
  s += greatest() + least() + greatest_made() + greatest_stored() + greatest_seen();
  list();
  in_chunks();
  s += until_negative();
  flags[N - 1] = 0;
  s += while_flagged();
  every_other();
  from_braces();
  from_parentheses();
  from_before();
  beside_a_bound();
  no_sevens();
  stepped();
  s += sum_of_plain();
  stepped_twice();
  stepped_sometimes();
  stepped_over();
  up_to_limit();
  up_to_found();
  up_to_one_of_two();
  up_to_count();
  s += running_sum();
  reflected(10, 20, found / 1000000);
  cleared(found / 1000000 + 20, 25);
  moved(found / 1000000 + 20, 25);
  put_by_member(N);
  put_by_argument(N);
  s += piled(N);
  put_by_own(N / 2);
  s += any_above(1.4) + sum_in_pair() + least_of_ints();
  powers(0.01);
  printed();
  by_pair();
  s += left_by_counter(1009) + left_at_one(plain[9] + N / 2);
  std::printf("%g %d\n", s, found);
}
