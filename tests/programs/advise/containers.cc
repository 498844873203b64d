/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loops over the containers of the C++ library whose elements hang together by pointers, and lists by hand. What is said
 * at their lines is as in cases.c.
 */
#include <cstdio>
#include <forward_list>
#include <iterator>
#include <list>
#include <map>
#include <set>
#include <unordered_map>

#define CALLED extern "C" __attribute__((noinline))

enum { N = 200 };

struct Item {
  double of[8];
};
struct Node {
  Node *next;
  int value;
};

std::map<int, Item> items;
std::map<int, int> numbers;
std::multimap<int, int> several, left;
std::map<int, std::map<int, int>> nested;
std::set<int> keys;
std::multiset<int> repeated;
std::forward_list<int> links(N, 3);
std::list<int> erased, chained(N, 3);
std::map<int, int> strides;
int distance = 1;
std::unordered_map<int, int> hashed;
Node *chain;

static __attribute__((noinline)) void work(Item &item) {
  for (double &x : item.of) x = x * 1.25 + 1;
}

CALLED void each_item() {
  for (auto &entry : items) /* = each_item tasks private traversal exit ; O2 tasks traversal exit */
    work(entry.second);
}

CALLED void each_item_twice() {
  for (auto &entry : items) { /* = each_item_twice tasks private traversal exit ; O2 tasks traversal exit */
    work(entry.second);
    work(entry.second);
  }
}

CALLED int sum() {
  int s = 0;
  for (const auto &entry : numbers) /* = sum tasks private traversal reduction exit ; O2 tasks traversal reduction exit */
    s += entry.second;
  return s;
}

CALLED int sum_of_keys() {
  int s = 0;
  for (int k : keys) /* = sum_of_keys tasks private traversal reduction exit ; O2 tasks traversal reduction exit */
    s += k;
  return s;
}

CALLED int sum_of_repeated() {
  int s = 0;
  for (int k : repeated) /* = sum_of_repeated tasks private traversal reduction exit ; O2 tasks traversal reduction exit */
    s += k;
  return s;
}

CALLED void by_iterator() {
  for (auto i = several.begin(); i != several.end(); ++i) /* = by_iterator tasks private traversal exit ; O2 tasks traversal exit */
    i->second *= 2;
}

CALLED void backwards() {
  for (auto i = numbers.rbegin(); i != numbers.rend(); ++i) /* = backwards tasks private traversal exit ; O2 tasks traversal exit */
    i->second *= 2;
}

CALLED void down() {
  for (auto i = numbers.end(); i != numbers.begin();) { /* = down tasks private traversal exit ; O2 tasks traversal exit */
    --i;
    i->second *= 2;
  }
}

CALLED void in_twos() {
  for (auto i = numbers.begin(), end = numbers.end(); i != end; ++i) { /* = in_twos sequential traversal exit ; O2 tasks traversal exit */
    i->second += 1;
    if (++i == end) break;
    i->second += 2;
  }
}

CALLED void odd_ones() {
  for (auto &entry : numbers) { /* = odd_ones tasks private traversal exit ; O2 tasks traversal exit */
    if (entry.first % 2 == 0) continue;
    entry.second = 3;
  }
}

CALLED void rows() {
  for (auto &row : nested) /* = rows tasks private traversal exit ; O2 tasks traversal exit */
    for (auto &entry : row.second) /* = row tasks private traversal exit ; O2 tasks traversal exit */
      entry.second += row.first;
}

/* How far it goes is what the body has made of the element. */
CALLED void by_strides() {
  for (auto i = numbers.begin(), end = numbers.end(); i != end; ++i) { /* = by_strides sequential recurrence exit */
    i->second += i->first;
    if (i->second % 3 == 0 && i->first < N - 3) ++i;
  }
}

CALLED int first_of() {
  for (auto &entry : numbers) /* = first_of sequential lastprivate traversal exit ; O2 sequential traversal exit */
    if (entry.second > 250) return entry.first;
  return 0;
}

CALLED int prefix() {
  int s = 0;
  for (auto &entry : numbers) { /* = prefix sequential private traversal recurrence exit ; O2 sequential traversal recurrence exit */
    s += entry.second;
    entry.second = s;
  }
  return s;
}

/* What these do to the tree, or to the list, tells where the walk goes on. */
CALLED void erase_some() {
  for (auto i = numbers.begin(); i != numbers.end();) /* = erase_some sequential private recurrence exit ; O2 sequential recurrence exit */
    if (i->first % 5 == 0)
      i = numbers.erase(i);
    else
      ++i;
}

CALLED void erase_all() {
  for (auto i = left.begin(); i != left.end();) /* = erase_all sequential private recurrence exit ; O2 sequential recurrence exit */
    i = left.erase(i);
}

CALLED void erase_behind() {
  for (auto i = left.begin(); i != left.end(); ++i) /* = erase_behind sequential private recurrence exit ; O2 sequential recurrence exit */
    if (i->first % 3 == 0 && std::next(i) != left.end()) left.erase(std::next(i));
}

CALLED void insert_behind() {
  for (auto &entry : numbers) /* = insert_behind sequential private recurrence exit ; O2 sequential recurrence exit */
    if (entry.first < 300 && entry.first % 7 == 0) numbers[entry.first + 400] = 1;
}

CALLED void insert_elsewhere() {
  for (auto &entry : numbers) /* = insert_elsewhere sequential private traversal recurrence exit ; O2 sequential traversal recurrence exit */
    keys.insert(entry.second);
}

CALLED void erase_hashed() {
  for (auto i = hashed.begin(); i != hashed.end();) /* = erase_hashed sequential private anti recurrence reduction exit ; O2 sequential anti recurrence reduction exit */
    if (i->first % 3 == 0)
      i = hashed.erase(i);
    else
      ++i;
}

/* The walk comes to what the body has put behind the element. */
CALLED void insert_links() {
  for (auto i = links.begin(); i != links.end(); ++i) /* = insert_links sequential private recurrence exit ; O2 sequential recurrence exit */
    if (*i % 4 == 0) links.insert_after(i, 1);
}

CALLED void erase_links() {
  for (auto i = erased.begin(); i != erased.end();) /* = erase_links sequential private anti recurrence reduction exit ; O2 sequential anti recurrence reduction exit */
    if (*i % 3 == 0)
      i = erased.erase(i);
    else
      ++i;
}

/* The walk reads what the body has just stored. */
CALLED void unlink_every_other() {
  for (Node *p = chain; p; p = p->next) /* = unlink_every_other sequential recurrence exit */
    if (p->next) p->next = p->next->next;
}

// The body decides how far it goes.
CALLED void steered() {
  for (Node *p = chain; p; p = p->next) { /* = steered sequential recurrence exit */
    p->value = p->value * 3 + 1;
    if (p->value % 5 == 0 && p->next) p = p->next;
  }
}

// One link in every iteration, by one way or the other.
CALLED void two_ways() {
  Node *p = chain;
  while (p) { /* = two_ways tasks traversal exit */
    if (p->value % 3 == 0) {
      p->value++;
      p = p->next;
      continue;
    }
    p->value = p->value * 5;
    p = p->next;
  }
}

CALLED void each_node() {
  for (Node *p = chain; p; p = p->next) /* = each_node tasks traversal exit */
    ++p->value;
}

/* From an element to the one that it names. */
CALLED void by_names() {
  for (auto i = numbers.find(1); i != numbers.end(); i = numbers.find(i->first + 1)) /* = by_names sequential private recurrence exit ; O2 sequential recurrence exit */
    i->second = 0;
}

CALLED void each_link() {
  for (int &x : links) /* = each_link tasks private traversal exit ; O2 tasks traversal exit */
    ++x;
}

CALLED void by_next() {
  for (auto i = chained.begin(); i != chained.end(); i = std::next(i)) /* = by_next tasks private traversal exit ; O2 tasks traversal exit */
    ++*i;
}

CALLED void by_next_key() {
  for (auto i = numbers.begin(), end = numbers.end(); i != end; i = std::next(i)) /* = by_next_key tasks traversal exit */
    ++i->second;
}

CALLED int by_previous() {
  int s = 0;
  for (auto i = keys.end(); i != keys.begin();) { /* = by_previous tasks private traversal reduction exit ; O2 tasks traversal reduction exit */
    i = std::prev(i);
    s += *i;
  }
  return s;
}

CALLED void by_two() {
  for (auto i = chained.begin(); i != chained.end(); i = std::next(i, 2)) /* = by_two tasks private traversal exit ; O2 sequential recurrence exit */
    ++*i;
}

/* As far as the body, or an element, says. */
CALLED void by_stored() {
  for (auto i = chained.begin(); i != chained.end(); i = std::next(i, distance)) { /* = by_stored sequential private recurrence exit ; O2 sequential recurrence exit */
    *i = *i * 3 % 17;
    distance = *i % 4 == 1 && *i != 13 ? 2 : 1;
  }
}

CALLED int by_value() {
  int s = 0;
  for (auto i = strides.begin(); i != strides.end(); i = std::next(i, i->second)) /* = by_value sequential private recurrence reduction exit ; O2 sequential recurrence reduction exit */
    s += i->first;
  return s;
}

CALLED void each_hashed() {
  for (auto &entry : hashed) /* = each_hashed tasks private traversal exit ; O2 tasks traversal exit */
    ++entry.second;
}

int main() {
  for (int i = 1; i <= N; ++i) {
    items[i] = Item{{1.0 * i}};
    numbers[i] = i;
    several.insert({i / 2, i});
    left.insert({i / 2, i});
    nested[i % 10][i] = i;
    keys.insert(i);
    repeated.insert(i / 3);
    strides[i] = i % 7 == 2 && i < N - 2 ? 2 : 1;
    erased.push_back(i);
    hashed[i] = i;
    chain = new Node{chain, i};
  }
  each_item();
  each_item_twice();
  int s = sum() + sum_of_keys() + sum_of_repeated();
  by_iterator();
  backwards();
  down();
  s += first_of();
  in_twos();
  odd_ones();
  rows();
  by_strides();
  s += prefix();
  insert_elsewhere();
  insert_behind();
  erase_some();
  erase_behind();
  erase_all();
  by_names();
  each_link();
  by_next();
  by_next_key();
  s += by_previous();
  by_two();
  by_stored();
  s += by_value();
  each_hashed();
  erase_hashed();
  insert_links();
  erase_links();
  unlink_every_other();
  steered();
  two_ways();
  each_node();
  std::printf("%d %g %zu %zu %zu\n", s, items[3].of[2], numbers.size(), left.size(), erased.size());
}
