// SPDX-License-Identifier: GPL-2.0-or-later
// What run-length SEQUITUR (encode/sequitur.h) and SEQUITUR as it was published (analysis/compare) have in common:
// rules as rings of symbols in one arena, the table of digrams, and the two invariants. They differ in what is a
// digram and in what happens where two symbols become neighbours:
//
//   bool is_digram(n)        whether the symbols at `n` and behind it are one
//   void forget_digram(n)    it ceases to be; does nothing if it is none
//   bool overlaps(n, m)      whether these occurrences share a symbol
//   void join(left, right)   they have become neighbours; the digram between them is not in the table
//
// Nothing recurses: what is still to be looked at stands in a list.
#ifndef CDRGRIND_ENCODE_SEQUITUR_CORE_H
#define CDRGRIND_ENCODE_SEQUITUR_CORE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/memory_need.h"
#include "cdrgrind/encode/digram_table.h"
#include "cdrgrind/encode/grammar.h"

namespace cdr {

template <class Variant>
class SequiturCore {
 protected:
  static constexpr uint32_t kGuardBit = 1u << 30;  // with kRuleBit: the guard of a rule's ring of symbols
  static constexpr uint32_t kFreed = ~0u;

  struct Rule {
    uint32_t guard = 0;  // the guard's next is the body's first symbol, its prev the last
    uint32_t uses = 0;   // symbols that are this rule, whatever their exponents
    uint32_t where = 0;  // their nodes, xor-ed: with one use, the node
  };

  // --- nodes and rules ---

  bool guard(uint32_t n) const { return (nodes_[n].symbol & (kRuleBit | kGuardBit)) == (kRuleBit | kGuardBit); }

  uint32_t new_node(uint32_t symbol, uint32_t count) {
    if (free_nodes_ == 0) [[unlikely]]
      make_free_node();
    const uint32_t n = free_nodes_;
    free_nodes_ = nodes_[n].next;
    nodes_[n] = {symbol, count, 0, 0};
    set_use(n, +1);
    ++used_nodes_;
    return n;
  }
  [[gnu::noinline]] void make_free_node() {
    if (nodes_.empty()) nodes_.emplace_back();
    nodes_.push_back({kFreed, 0, 0, free_nodes_});
    free_nodes_ = static_cast<uint32_t>(nodes_.size() - 1);
  }
  void free_node(uint32_t n) {
    set_use(n, -1);
    nodes_[n] = {kFreed, 0, 0, free_nodes_};
    free_nodes_ = n;
    --used_nodes_;
  }
  uint32_t new_rule() {
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
    ++used_rules_;
    return r;
  }
  // `n` begins or ceases to be a use of a rule, if it is one.
  void set_use(uint32_t n, int change) {
    const uint32_t symbol = nodes_[n].symbol;
    if (!guard(n)) change_use(symbol, n, change);
  }
  // The same for a symbol that is no guard.
  void change_use(uint32_t symbol, uint32_t n, int change) {
    if (!is_rule(symbol)) return;
    Rule& r = rules_[rule_of(symbol)];
    r.uses += static_cast<uint32_t>(change);
    r.where ^= n;
  }
  void link(uint32_t left, uint32_t right) {
    nodes_[left].next = right;
    nodes_[right].prev = left;
  }
  // A symbol behind all others of the rule.
  void add_symbol(uint32_t rule, uint32_t symbol, uint32_t count) {
    const uint32_t g = rules_[rule].guard, last = nodes_[g].prev;
    const uint32_t n = new_node(symbol, count);
    link(last, n);
    link(n, g);
    check_later(last);
  }

  // --- the invariants ---

  void check_later(uint32_t n) { tasks_.push_back({Task::kDigram, n}); }
  void settle() {
    while (!tasks_.empty()) {
      const Task t = tasks_.back();
      tasks_.pop_back();
      if (t.kind == Task::kDigram)
        check_digram(t.index);
      else
        check_utility(t.index);
    }
  }

  uint32_t rule_of_guard(uint32_t n) const { return nodes_[n].symbol & ~(kRuleBit | kGuardBit); }
  // The rule whose whole body is the digram at `n`, or 0.
  uint32_t whole_body(uint32_t n) const {
    const uint32_t before = nodes_[n].prev;
    if (!guard(before) || nodes_[nodes_[n].next].next != before) return 0;
    const uint32_t rule = rule_of_guard(before);
    return rules_[rule].uses == 0 ? 0 : rule;  // start rules are used nowhere
  }
  // The digram at `n` is equal to that at `m`, which is in the table.
  void match(uint32_t n, uint32_t m) {
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
    for (const uint32_t symbol : parts) check_utility_later(symbol);
  }
  // Whether it is a rule that is used once and without exponent.
  bool useless(uint32_t symbol) const {
    if (!is_rule(symbol)) return false;
    const Rule& r = rules_[rule_of(symbol)];
    return r.uses == 1 && nodes_[r.where].count == 1;
  }
  void check_utility_later(uint32_t symbol) {
    if (is_rule(symbol)) tasks_.push_back({Task::kUtility, symbol});
  }
  void check_utility(uint32_t symbol) {
    if (useless(symbol)) expand(rules_[rule_of(symbol)].where);
  }
  // As if a node had been made and freed.
  void spare_node() {
    if (free_nodes_ == 0) [[unlikely]]
      make_free_node();
  }
  // As if so many had been, and so many rules.
  void spare(uint32_t nodes, uint32_t rules) {
    while (nodes_.size() <= used_nodes_ + nodes) make_free_node();
    while (rules_.size() <= used_rules_ + rules) {
      rules_.push_back({free_rules_, 0, 0});
      free_rules_ = static_cast<uint32_t>(rules_.size() - 1);
    }
  }

  // The rules of `starts`, in this order, and those that they need.
  Grammar grammar_of(std::span<const uint32_t> starts) const {
    Grammar g(static_cast<uint32_t>(starts.size()));
    std::vector<uint32_t> numbers(rules_.size());  // of a rule + 1; 0 not yet used
    std::vector<uint32_t> order(starts.begin(), starts.end());
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

  // Memory, as it grows.
  size_t core_bytes() const { return grown_bytes(nodes_) + grown_bytes(rules_) + digrams_.bytes(); }

  std::vector<SymbolNode> nodes_;
  std::vector<Rule> rules_;
  DigramTable digrams_;
  size_t used_nodes_ = 0;  // guards included
  uint32_t used_rules_ = 0;

 private:
  struct Task {
    enum Kind : uint32_t { kDigram, kUtility } kind;
    uint32_t index;  // node; symbol
  };

  Variant& variant() { return static_cast<Variant&>(*this); }

  void check_digram(uint32_t n) {
    if (nodes_[n].symbol == kFreed || !variant().is_digram(n)) return;
    const uint32_t m = digrams_.find_or_insert(nodes_.data(), n);
    if (m != n && !variant().overlaps(n, m)) match(n, m);
  }
  // --- invariant 1: a digram that occurs twice ---

  // A new rule whose body is the digram at `m`, which is in the table; the new body is, from now on.
  uint32_t rule_for(uint32_t m) {
    const uint32_t r = new_rule();
    const SymbolNode first = nodes_[m], second = nodes_[nodes_[m].next];
    const uint32_t a = new_node(first.symbol, first.count), b = new_node(second.symbol, second.count);
    const uint32_t g = rules_[r].guard;
    link(g, a);
    link(a, b);
    link(b, g);
    digrams_.move(nodes_.data(), m, a);
    return r;
  }
  // The digram at `n`, which is not in the table, becomes one symbol.
  void replace(uint32_t n, uint32_t rule) {
    const uint32_t left = nodes_[n].prev, second = nodes_[n].next, right = nodes_[second].next;
    variant().forget_digram(left);
    variant().forget_digram(second);
    free_node(second);
    set_use(n, -1);
    nodes_[n].symbol = kRuleBit | rule;
    nodes_[n].count = 1;
    set_use(n, +1);
    link(n, right);
    variant().join(n, right);
    variant().join(left, n);
  }

  // --- invariant 2: a rule that is used once ---

  // The body of the rule takes the place of `n`, its only use.
  void expand(uint32_t n) {
    const uint32_t rule = rule_of(nodes_[n].symbol);
    const uint32_t g = rules_[rule].guard;
    const uint32_t first = nodes_[g].next, last = nodes_[g].prev;
    const uint32_t left = nodes_[n].prev, right = nodes_[n].next;
    variant().forget_digram(left);
    variant().forget_digram(n);
    free_node(n);
    free_node(g);
    rules_[rule] = {free_rules_, 0, 0};
    free_rules_ = rule;
    --used_rules_;
    link(left, first);
    link(last, right);
    variant().join(last, right);
    variant().join(left, first);
  }

  std::vector<Task> tasks_;
  uint32_t free_nodes_ = 0, free_rules_ = 0;  // lists by next and guard; entry 0 of nodes_ and rules_ is unused
};

}  // namespace cdr

#endif
