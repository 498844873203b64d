// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/sequitur.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cdrgrind/base/memory_need.h"

namespace cdr {

// --- nodes and rules ---

uint32_t Sequitur::new_node(uint32_t symbol, uint32_t count) {
  uint32_t n = free_nodes_;
  if (n != 0) {
    free_nodes_ = nodes_[n].next;
  } else {
    if (nodes_.empty()) nodes_.emplace_back();
    n = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
  }
  nodes_[n] = {symbol, count, 0, 0};
  set_use(n, +1);
  ++used_nodes_;
  return n;
}

void Sequitur::free_node(uint32_t n) {
  set_use(n, -1);
  nodes_[n] = {kFreed, 0, 0, free_nodes_};
  free_nodes_ = n;
  --used_nodes_;
}

uint32_t Sequitur::new_rule() {
  uint32_t r = free_rules_;
  if (r != 0) {
    free_rules_ = rules_[r].guard;
  } else {
    if (rules_.empty()) rules_.emplace_back();
    r = static_cast<uint32_t>(rules_.size());
    rules_.emplace_back();
  }
  const uint32_t g = new_node(kRuleBit | kGuardBit | r, 0);
  nodes_[g].prev = nodes_[g].next = g;
  rules_[r] = {g, 0, 0};
  return r;
}

// `n` begins or ceases to be a use of a rule, if it is one.
void Sequitur::set_use(uint32_t n, int change) {
  const uint32_t symbol = nodes_[n].symbol;
  if (!is_rule(symbol) || guard(n)) return;
  Rule& r = rules_[rule_of(symbol)];
  r.uses += static_cast<uint32_t>(change);
  r.where ^= n;
}

void Sequitur::link(uint32_t left, uint32_t right) {
  nodes_[left].next = right;
  nodes_[right].prev = left;
}

// Neighbours that are one symbol: not across a guard, and unless the exponent would overflow.
bool Sequitur::mergeable(uint32_t left, uint32_t right) const {
  const SymbolNode &a = nodes_[left], &b = nodes_[right];
  return a.symbol == b.symbol && left != right && a.count <= kMaxCount - b.count && !guard(left);
}

bool Sequitur::is_digram(uint32_t n) const {
  return !guard(n) && !guard(nodes_[n].next) && nodes_[n].symbol != nodes_[nodes_[n].next].symbol;
}

// --- reading ---

uint32_t Sequitur::open_string() {
  strings_.emplace_back().rule = new_rule();
  return strings() - 1;
}

void Sequitur::read_run(String& s, uint32_t terminal, uint32_t count) {
  settle_loop(s);
  push(s, terminal, count);
  expect_loop(s);
}

void Sequitur::push(const String& s, uint32_t symbol, uint32_t count) {
  const uint32_t g = rules_[s.rule].guard;
  const uint32_t last = nodes_[g].prev;
  if (last != g && nodes_[last].symbol == symbol && nodes_[last].count <= kMaxCount - count) {
    forget_digram(nodes_[last].prev);
    nodes_[last].count += count;
    check_later(nodes_[last].prev);
  } else {
    const uint32_t n = new_node(symbol, count);
    link(last, n);
    link(n, g);
    check_later(last);
  }
  settle();
}

// --- loops ---

// The runs that a rule stands for, in runs_. False if they are too many.
bool Sequitur::runs_of(uint32_t rule) {
  constexpr size_t kMostRuns = 128, kMostSteps = 1024;
  runs_.clear();
  places_.clear();
  places_.push_back({nodes_[rules_[rule].guard].next, 0});
  for (size_t step = 0; !places_.empty(); ++step) {
    Place& p = places_.back();
    const SymbolNode& n = nodes_[p.node];
    if (step == kMostSteps || runs_.size() > kMostRuns) return false;
    if (guard(p.node)) {
      if (p.more-- == 0)
        places_.pop_back();
      else
        p.node = n.next;
      continue;
    }
    p.node = n.next;
    if (is_rule(n.symbol))
      places_.push_back({nodes_[rules_[rule_of(n.symbol)].guard].next, n.count - 1});
    else if (!runs_.empty() && runs_.back().symbol == n.symbol && runs_.back().count <= kMaxCount - n.count)
      runs_.back().count += n.count;
    else
      runs_.push_back({n.symbol, n.count});
  }
  return runs_.size() <= kMostRuns;
}

void Sequitur::expect_loop(String& s) {
  const SymbolNode& last = nodes_[nodes_[rules_[s.rule].guard].prev];
  if (!is_rule(last.symbol) || last.count < 2 || !runs_of(rule_of(last.symbol))) return;
  expected_runs_ -= s.period.capacity();
  s.period = runs_;
  expected_runs_ += s.period.capacity();
  s.at = 0;
  s.copies = 0;
}

// What has come of the period is read, nothing is expected any more.
void Sequitur::settle_loop(String& s) {
  if (s.copies > 0) push_copies(s);
  for (uint32_t i = 0; i < s.at; ++i) push(s, s.period[i].symbol, s.period[i].count);
  s.period.clear();
  s.at = 0;
  s.copies = 0;
}

// As a rule the string still ends in the rule whose runs were expected. Other strings may have changed that.
void Sequitur::push_copies(const String& s) {
  const uint32_t last = nodes_[nodes_[rules_[s.rule].guard].prev].symbol;
  const bool known = is_rule(last) && runs_of(rule_of(last)) && runs_ == s.period;
  for (uint64_t left = s.copies; left > 0;) {
    const uint32_t copies = known ? static_cast<uint32_t>(std::min<uint64_t>(left, kMaxCount)) : 1;
    if (known)
      push(s, last, copies);
    else
      for (const Run& r : s.period) push(s, r.symbol, r.count);
    left -= copies;
  }
}

void Sequitur::settle_loops() {
  for (String& s : strings_) settle_loop(s);
}

// --- the invariants ---

void Sequitur::settle() {
  while (!tasks_.empty()) {
    const Task t = tasks_.back();
    tasks_.pop_back();
    if (t.kind == Task::kDigram)
      check_digram(t.index);
    else
      check_utility(t.index);
  }
}

void Sequitur::check_digram(uint32_t n) {
  if (nodes_[n].symbol == kFreed || !is_digram(n)) return;
  const uint32_t m = digrams_.find_or_insert(nodes_.data(), n);
  if (m != n) match(n, m);
}

void Sequitur::check_utility(uint32_t rule) {
  const Rule& r = rules_[rule];
  if (r.uses == 1 && nodes_[r.where].count == 1) expand(r.where);
}

// --- invariant 1: a digram that occurs twice ---

// The rule whose whole body is the digram at `n`, or 0.
uint32_t Sequitur::whole_body(uint32_t n) const {
  const uint32_t before = nodes_[n].prev;
  if (!guard(before) || nodes_[nodes_[n].next].next != before) return 0;
  const uint32_t rule = nodes_[before].symbol & ~(kRuleBit | kGuardBit);
  return rules_[rule].uses == 0 ? 0 : rule;  // start rules are used nowhere
}

// The digram at `n` is equal to that at `m`, which is in the table.
void Sequitur::match(uint32_t n, uint32_t m) {
  const uint32_t parts[] = {nodes_[n].symbol, nodes_[nodes_[n].next].symbol};
  if (const uint32_t rule = whole_body(m)) {
    replace(n, rule);
  } else if (const uint32_t other = whole_body(n)) {
    digrams_.move(nodes_.data(), m, n);
    replace(m, other);
  } else {
    const uint32_t r = new_rule();
    const SymbolNode first = nodes_[m], second = nodes_[nodes_[m].next];
    const uint32_t a = new_node(first.symbol, first.count), b = new_node(second.symbol, second.count);
    const uint32_t g = rules_[r].guard;
    link(g, a);
    link(a, b);
    link(b, g);
    digrams_.move(nodes_.data(), m, a);
    replace(m, r);
    replace(n, r);
  }
  for (const uint32_t symbol : parts)
    if (is_rule(symbol)) tasks_.push_back({Task::kUtility, rule_of(symbol)});
}

// The digram at `n`, which is not in the table, becomes one symbol.
void Sequitur::replace(uint32_t n, uint32_t rule) {
  const uint32_t left = nodes_[n].prev, second = nodes_[n].next, right = nodes_[second].next;
  forget_digram(left);
  forget_digram(second);
  free_node(second);
  set_use(n, -1);
  nodes_[n].symbol = kRuleBit | rule;
  nodes_[n].count = 1;
  set_use(n, +1);
  link(n, right);
  join(n, right);
  join(left, n);
}

// `left` and `right` have become neighbours: they are merged or their digram is looked at. The digram between
// them is not in the table.
void Sequitur::join(uint32_t left, uint32_t right) {
  if (!mergeable(left, right)) return check_later(left);
  const uint32_t before = nodes_[left].prev, behind = nodes_[right].next;
  forget_digram(before);
  forget_digram(right);
  nodes_[left].count += nodes_[right].count;
  free_node(right);
  link(left, behind);
  check_later(before);
  check_later(left);
}

// --- invariant 2: a rule that is used once ---

// The body of the rule takes the place of `n`, its only use.
void Sequitur::expand(uint32_t n) {
  const uint32_t rule = rule_of(nodes_[n].symbol);
  const uint32_t g = rules_[rule].guard;
  const uint32_t first = nodes_[g].next, last = nodes_[g].prev;
  const uint32_t left = nodes_[n].prev, right = nodes_[n].next;
  forget_digram(left);
  forget_digram(n);
  free_node(n);
  free_node(g);
  rules_[rule] = {free_rules_, 0, 0};
  free_rules_ = rule;
  link(left, first);
  link(last, right);
  join(last, right);
  join(left, first);
}

// --- the result ---

size_t Sequitur::bytes() const {
  constexpr size_t kGrammarBytes = 12;  // a symbol and its share of the rules, and of the columns that they become
  return grown_bytes(nodes_) + grown_bytes(rules_) + digrams_.bytes() + grown_bytes(strings_) +
         expected_runs_ * sizeof(Run) + used_nodes_ * kGrammarBytes;
}

Grammar Sequitur::grammar() {
  std::vector<uint32_t> all(strings());
  std::iota(all.begin(), all.end(), 0u);
  return grammar(all);
}

Grammar Sequitur::grammar(std::span<const uint32_t> strings) {
  settle_loops();
  Grammar g(static_cast<uint32_t>(strings.size()));
  std::vector<uint32_t> numbers(rules_.size());  // of a rule + 1; 0 not yet used
  std::vector<uint32_t> order;
  for (const uint32_t s : strings) order.push_back(strings_[s].rule);
  for (uint32_t i = 0; i < order.size(); ++i) {
    const uint32_t guard_node = rules_[order[i]].guard;
    for (uint32_t n = nodes_[guard_node].next; n != guard_node; n = nodes_[n].next) {
      uint32_t symbol = nodes_[n].symbol;
      if (is_rule(symbol)) {
        uint32_t& number = numbers[rule_of(symbol)];
        if (number == 0) {
          order.push_back(rule_of(symbol));
          number = static_cast<uint32_t>(order.size());
        }
        symbol = kRuleBit | (number - 1);
      }
      g.add_symbol({symbol, nodes_[n].count});
    }
    g.end_rule();
  }
  return g;
}

}  // namespace cdr
