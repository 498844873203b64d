/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops over deques, whose iterators go on in a piece of the elements, and at its end through the container's map to the
 * next one. What is said at their lines is as in cases.c.
 */
#include <cstdio>
#include <deque>
#include <iterator>

#define CALLED extern "C" __attribute__((noinline))

enum { N = 1000 };

struct Item {
  double of[8];
};

std::deque<Item> items(N / 5);
std::deque<long> numbers, others, several, left, grown, taken;
std::deque<int> small;
std::deque<std::deque<long>> nested(20, std::deque<long>(200, 1));
long found;

static __attribute__((noinline)) void work(Item &item) {
  for (double &x : item.of) x = x * 1.25 + 1;
}

static __attribute__((noinline)) void step(std::deque<long>::iterator &i) { ++i; }
static __attribute__((noinline)) void step_over(std::deque<long>::iterator &i, const std::deque<long>::iterator &end) {
  ++i;
  if (i < end && *i % 4 == 0) ++i;
}

CALLED void each_item() {
  for (auto &item : items) /* = each_item tasks private traversal exit ; O2 tasks traversal exit */
    work(item);
}

CALLED long sum() {
  long s = 0;
  for (long x : numbers) /* = sum tasks private traversal reduction exit ; O2 tasks traversal reduction exit */
    s += x;
  return s;
}

CALLED void scale() {
  for (int &x : small) /* = scale tasks private traversal exit ; O2 tasks traversal exit */
    x *= 3;
}

CALLED void by_iterator() {
  for (auto i = numbers.begin(); i != numbers.end(); ++i) /* = by_iterator tasks private traversal exit ; O2 tasks traversal exit */
    *i += 2;
}

CALLED void by_iterator_after() {
  for (auto i = numbers.begin(), end = numbers.end(); i != end; i++) /* = by_iterator_after tasks private traversal exit ; O2 tasks traversal exit */
    *i += 2;
}

CALLED void backwards() {
  for (auto i = numbers.rbegin(); i != numbers.rend(); ++i) /* = backwards tasks private traversal exit ; O2 tasks traversal exit */
    *i *= 2;
}

CALLED long in_place() {
  long s = 0;
  auto i = numbers.begin();
  const auto end = numbers.end();
  while (i != end) /* = in_place tasks private traversal reduction exit ; O2 tasks traversal reduction exit */
    s += *i++;
  return s;
}

CALLED void by_function() {
  for (auto i = numbers.begin(), end = numbers.end(); i != end; step(i)) /* = by_function tasks private traversal exit ; O2 sequential private recurrence exit */
    *i += 1;
}

CALLED void down() {
  for (auto i = numbers.end(); i != numbers.begin();) { /* = down tasks private traversal exit ; O2 tasks traversal exit */
    --i;
    *i += 1;
  }
}

CALLED void odd_ones() {
  for (long &x : numbers) { /* = odd_ones tasks private traversal exit ; O2 tasks traversal exit */
    if (x % 2 == 0) continue;
    x = x * 3 + 1;
  }
}

CALLED void rows() {
  for (auto &row : nested) /* = rows tasks private traversal exit ; O2 tasks traversal exit */
    for (long &x : row) /* = row tasks private traversal exit ; O2 - */
      x += 2;
}

CALLED void copied() {
  auto to = others.begin();
  for (auto i = numbers.begin(), end = numbers.end(); i != end; ++i, ++to) /* = copied tasks private traversal exit ; O2 tasks traversal exit */
    *to = *i + 1;
}

CALLED long first_of() {
  for (long x : numbers) /* = first_of sequential private traversal exit ; O2 sequential traversal exit */
    if (x < 0) return x;
  return 0;
}

CALLED long prefix() {
  long s = 0;
  for (long &x : numbers) { /* = prefix sequential private traversal recurrence exit ; O2 sequential traversal recurrence exit */
    s += x & 7;
    x = s;
  }
  return s;
}

/* It could, though it never did. */
CALLED void never_twice() {
  for (auto i = several.begin(), end = several.end(); i != end; ++i) { /* = never_twice sequential private recurrence exit ; O2 sequential recurrence exit */
    *i += 1;
    if (*i < 0 && end - i > 3) ++i;
  }
}

/* How far these go is what the elements say, or what the body has made of them. */
CALLED void by_strides() {
  for (auto i = several.begin(), end = several.end(); i != end; ++i) { /* = by_strides sequential private recurrence exit ; O2 sequential recurrence exit */
    *i += 5;
    if (*i % 3 == 0 && end - i > 3) ++i;
  }
}

CALLED long by_flags() {
  long n = 0;
  for (auto i = several.begin(), end = several.end(); i != end; ++i) { /* = by_flags sequential private recurrence reduction exit ; O2 sequential recurrence reduction exit */
    n += *i;
    if (*i % 3 && end - i > 3) ++i;
  }
  return n;
}

CALLED long to_names() {
  long n = 0;
  auto i = several.begin();
  const auto end = several.end();
  while (i != end) { /* = to_names sequential recurrence reduction exit */
    n += *i;
    if (*i == found)
      ++i;
    else
      i += end - i > 2 ? 2 : 1;
  }
  return n;
}

CALLED long merged() {
  auto a = several.begin(), b = others.begin();
  const auto a_end = several.end(), b_end = others.end();
  long n = 0;
  while (a != a_end && b != b_end) /* = merged sequential private recurrence exit ; O2 sequential recurrence exit */
    if (*a < *b)
      n = n * 3 + *a, ++a;
    else
      n = n * 5 + *b, ++b;
  return n;
}

CALLED void by_function_sometimes() {
  for (auto i = several.begin(), end = several.end(); i != end; step(i)) { /* = by_function_sometimes sequential private recurrence exit */
    *i += 1;
    if (*i % 3 && end - i > 3) step(i);
  }
}

CALLED void over_some() {
  for (auto i = several.begin(), end = several.end(); i < end; step_over(i, end)) /* = over_some sequential private anti recurrence exit */
    *i += 1;
}

/* What these do to the deque tells where the walk goes on. */
CALLED void erase_some() {
  for (auto i = left.begin(); i != left.end();) /* = erase_some sequential private recurrence exit */
    if (*i % 5 == 0)
      i = left.erase(i);
    else
      ++i;
}

CALLED void pop_all() {
  while (!left.empty()) { /* = pop_all sequential recurrence reduction exit */
    found += left.front();
    left.pop_front();
  }
}

CALLED void push_behind() {
  for (size_t i = 0; i < grown.size(); ++i) /* = push_behind sequential private recurrence exit */
    if (grown[i] % 4 == 0) grown.push_back(grown[i] / 4 + 1);
}

CALLED void push_while_walking() {
  for (auto i = grown.begin(); i != grown.end(); ++i) /* = push_while_walking sequential private recurrence exit */
    if (*i % 16 == 1) {
      const auto at = i - grown.begin();
      grown.push_back(2);
      i = grown.begin() + at;
    }
}

CALLED void push_elsewhere() {
  for (long x : numbers) /* = push_elsewhere sequential private traversal recurrence exit ; O2 sequential traversal recurrence exit */
    taken.push_back(x);
}

int main() {
  for (int i = 1; i <= N; ++i) {
    numbers.push_back(i);
    others.push_back(i);
    several.push_back(i % 17);
    left.push_back(i);
    grown.push_back(i);
    small.push_back(i);
  }
  each_item();
  long s = sum();
  scale();
  by_iterator();
  by_iterator_after();
  backwards();
  s += in_place();
  by_function();
  down();
  odd_ones();
  rows();
  copied();
  s += first_of() + prefix();
  never_twice();
  by_strides();
  found = 3;
  s += by_flags() + to_names() + merged();
  by_function_sometimes();
  over_some();
  erase_some();
  pop_all();
  push_behind();
  push_while_walking();
  push_elsewhere();
  std::printf("%ld %ld %g %zu %zu %d\n", s, found, items[3].of[2], grown.size(), taken.size(), small[9]);
}
