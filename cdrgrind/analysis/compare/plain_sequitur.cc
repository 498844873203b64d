// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/plain_sequitur.h"

namespace cdr::analysis {

// --- nodes and rules ---

uint32_t PlainSequitur::new_node(uint32_t symbol) {
  uint32_t n = free_nodes_;
  if (n != 0) {
    free_nodes_ = nodes_[n].next;
  } else {
    if (nodes_.empty()) nodes_.emplace_back();
    n = static_cast<uint32_t>(nodes_.size());
    nodes_.emplace_back();
  }
  nodes_[n] = {symbol, 1, 0, 0};
  set_use(n, +1);
  ++used_nodes_;
  return n;
}

void PlainSequitur::free_node(uint32_t n) {
  set_use(n, -1);
  nodes_[n] = {kFreed, 0, 0, free_nodes_};
  free_nodes_ = n;
  --used_nodes_;
}

uint32_t PlainSequitur::new_rule() {
  uint32_t r = free_rules_;
  if (r != 0) {
    free_rules_ = rules_[r].guard;
  } else {
    if (rules_.empty()) rules_.emplace_back();
    r = static_cast<uint32_t>(rules_.size());
    rules_.emplace_back();
  }
  const uint32_t g = new_node(kRuleBit | kGuardBit | r);
  nodes_[g].prev = nodes_[g].next = g;
  rules_[r] = {g, 0, 0};
  ++used_rules_;
  return r;
}

void PlainSequitur::set_use(uint32_t n, int change) {
  const uint32_t symbol = nodes_[n].symbol;
  if (!is_rule(symbol) || guard(n)) return;
  Rule& r = rules_[rule_of(symbol)];
  r.uses += static_cast<uint32_t>(change);
  r.where ^= n;
}

void PlainSequitur::link(uint32_t left, uint32_t right) {
  nodes_[left].next = right;
  nodes_[right].prev = left;
}

// --- reading ---

uint32_t PlainSequitur::open_string() {
  starts_.push_back(new_rule());
  return strings() - 1;
}

void PlainSequitur::append(uint32_t string, uint32_t terminal) {
  const uint32_t g = rules_[starts_[string]].guard;
  const uint32_t last = nodes_[g].prev;
  const uint32_t n = new_node(terminal);
  link(last, n);
  link(n, g);
  check_later(last);
  settle();
}

void PlainSequitur::settle() {
  while (!tasks_.empty()) {
    const Task t = tasks_.back();
    tasks_.pop_back();
    if (t.kind == Task::kDigram)
      check_digram(t.index);
    else
      check_utility(t.index);
  }
}

// The digram at `n` ceases to be. One that overlaps it and is equal may not be in the table yet.
void PlainSequitur::forget_digram(uint32_t n) {
  if (!is_digram(n)) return;
  digrams_.erase(nodes_.data(), n);
  const uint32_t second = nodes_[n].next;
  if (!same(n, second)) return;
  if (same(nodes_[n].prev, n)) check_later(nodes_[n].prev);
  if (same(nodes_[second].next, n)) check_later(second);
}

void PlainSequitur::check_digram(uint32_t n) {
  if (nodes_[n].symbol == kFreed || !is_digram(n)) return;
  const uint32_t m = digrams_.find_or_insert(nodes_.data(), n);
  if (m != n && nodes_[m].next != n && nodes_[n].next != m) match(n, m);
}

void PlainSequitur::check_utility(uint32_t rule) {
  if (rules_[rule].uses == 1) expand(rules_[rule].where);
}

// --- invariant 1: a digram that occurs twice ---

// The rule whose whole body is the digram at `n`, or 0.
uint32_t PlainSequitur::whole_body(uint32_t n) const {
  const uint32_t before = nodes_[n].prev;
  if (!guard(before) || nodes_[nodes_[n].next].next != before) return 0;
  const uint32_t rule = nodes_[before].symbol & ~(kRuleBit | kGuardBit);
  return rules_[rule].uses == 0 ? 0 : rule;  // start rules are used nowhere
}

// A new rule whose body is the digram at `m`, which is in the table; the new body is, from now on.
uint32_t PlainSequitur::rule_for(uint32_t m) {
  const uint32_t r = new_rule();
  const uint32_t first = nodes_[m].symbol, second = nodes_[nodes_[m].next].symbol;
  const uint32_t a = new_node(first), b = new_node(second);
  const uint32_t g = rules_[r].guard;
  link(g, a);
  link(a, b);
  link(b, g);
  digrams_.move(nodes_.data(), m, a);
  return r;
}

// The digram at `n` is equal to that at `m`, which is in the table.
void PlainSequitur::match(uint32_t n, uint32_t m) {
  const uint32_t parts[] = {nodes_[n].symbol, nodes_[nodes_[n].next].symbol};
  if (const uint32_t rule = whole_body(m)) {
    replace(n, rule);
  } else if (const uint32_t other = whole_body(n)) {
    digrams_.move(nodes_.data(), m, n);
    replace(m, other);
  } else {
    const uint32_t r = rule_for(m);
    replace(m, r);
    replace(n, r);
  }
  for (const uint32_t symbol : parts)
    if (is_rule(symbol)) tasks_.push_back({Task::kUtility, rule_of(symbol)});
}

// The digram at `n`, which is not in the table, becomes one symbol.
void PlainSequitur::replace(uint32_t n, uint32_t rule) {
  const uint32_t left = nodes_[n].prev, second = nodes_[n].next, right = nodes_[second].next;
  forget_digram(left);
  forget_digram(second);
  free_node(second);
  set_use(n, -1);
  nodes_[n].symbol = kRuleBit | rule;
  set_use(n, +1);
  link(n, right);
  check_later(n);
  check_later(left);
}

// --- invariant 2: a rule that is used once ---

// The body of the rule takes the place of `n`, its only use.
void PlainSequitur::expand(uint32_t n) {
  const uint32_t rule = rule_of(nodes_[n].symbol);
  const uint32_t g = rules_[rule].guard;
  const uint32_t first = nodes_[g].next, last = nodes_[g].prev;
  const uint32_t left = nodes_[n].prev, right = nodes_[n].next;
  forget_digram(left);
  forget_digram(n);
  free_node(n);
  free_node(g);
  --used_rules_;
  rules_[rule] = {free_rules_, 0, 0};
  free_rules_ = rule;
  link(left, first);
  link(last, right);
  check_later(last);
  check_later(left);
}

// --- the result ---

size_t PlainSequitur::terminals() const {
  size_t n = 0;
  for (size_t i = 1; i < nodes_.size(); ++i) n += !is_rule(nodes_[i].symbol);
  return n;
}

size_t PlainSequitur::bytes() const {
  return nodes_.capacity() * sizeof(SymbolNode) + rules_.capacity() * sizeof(Rule) + digrams_.bytes() +
         tasks_.capacity() * sizeof(Task) + starts_.capacity() * sizeof(uint32_t);
}

void PlainSequitur::clear() { *this = PlainSequitur(); }

Grammar PlainSequitur::grammar() const {
  Grammar g(strings());
  std::vector<uint32_t> numbers(rules_.size());  // of a rule + 1; 0 not yet used
  std::vector<uint32_t> order = starts_;
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
      g.add_symbol({symbol, 1});
    }
    g.end_rule();
  }
  return g;
}

}  // namespace cdr::analysis
