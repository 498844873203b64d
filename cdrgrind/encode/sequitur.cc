// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/sequitur.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cdrgrind/base/memory_need.h"

namespace cdr {

// --- reading ---

uint32_t Sequitur::open_string() {
  make_beginning();
  strings_.emplace_back().guard = rules_[new_rule()].guard;
  return strings() - 1;
}

void Sequitur::read_run(String& s, uint32_t terminal, uint32_t count) {
  if (!s.period.empty()) [[unlikely]]
    settle_loop(s);
  push_here(s, terminal, count);
  if (beginning_.next != 0) return;
  const SymbolNode& last = nodes_[nodes_[s.guard].prev];
  if (is_rule(last.symbol) && last.count >= 2) expect_loop(s, rule_of(last.symbol));
}

void Sequitur::push(const String& s, uint32_t terminal, uint32_t count) { push_here(s, terminal, count); }

[[gnu::always_inline]] inline void Sequitur::push_here(const String& s, uint32_t terminal, uint32_t count) {
  if (beginning_.next != 0) {
    if (goes_on(s, terminal, count)) return;
    make_beginning();
  }
  const SymbolNode* const nodes = nodes_.data();
  const uint32_t g = s.guard, last = nodes[g].prev;
  if (last == g || nodes[last].symbol == terminal) [[unlikely]]
    return push_slowly(s, terminal, count);
  if (digrams_.held() != nodes[last].prev) digrams_.put_held();
  const DigramTable::Spot spot = digrams_.locate(nodes, nodes[last], {terminal, count, 0, 0});
  const uint32_t known = spot.node();
  if (known != 0) {
    if (const uint32_t rule = whole_body(known)) {
      spare_node();
      return settle_end(last, rule, terminal);
    }
    if (begins(known)) return remember_beginning(s, known);
    digrams_.put_held();
    spare(4, 1);
    if (extend(last, {terminal, count, 0, 0}, known)) return;
  }
  const uint32_t n = new_node(terminal, count);
  link(last, n);
  link(n, g);
  if (known == 0) return digrams_.hold(spot, last);
  match(last, known);
  settle();
}

void Sequitur::push_slowly(const String& s, uint32_t symbol, uint32_t count) {
  digrams_.put_held();
  const uint32_t last = nodes_[s.guard].prev;
  if (!guard(last) && nodes_[last].symbol == symbol && nodes_[last].count <= kMaxCount - count) {
    forget_digram(nodes_[last].prev);
    nodes_[last].count += count;
    check_later(nodes_[last].prev);
  } else {
    add_symbol(rule_of_guard(s.guard), symbol, count);
  }
  settle();
}

// --- beginnings ---

// Whether the digram at `m` begins the body of a rule and would become a rule, both symbols of which stay.
bool Sequitur::begins(uint32_t m) const {
  const uint32_t before = nodes_[m].prev, symbol = nodes_[m].symbol;
  if (!guard(before) || rules_[rule_of_guard(before)].uses == 0 || !is_digram(nodes_[m].next)) return false;
  return !is_rule(symbol) || nodes_[m].count >= 2 || rules_[rule_of(symbol)].uses >= 3;
}

// The last symbol of the string, and the terminal that is to come behind it, are equal to `m` and its successor.
void Sequitur::remember_beginning(const String& s, uint32_t m) {
  spare(4, 1);
  used_nodes_ += kBeginningNodes;
  ++used_rules_;
  beginning_ = {s.guard, m, nodes_[nodes_[m].next].next};
}

// Whether the beginning is that of this string, which goes on with it.
bool Sequitur::goes_on(const String& s, uint32_t terminal, uint32_t count) {
  const SymbolNode& n = nodes_[beginning_.next];
  if (s.guard != beginning_.string || n.symbol != terminal || n.count != count) return false;
  const uint32_t behind = n.next;
  if (nodes_[behind].symbol == terminal) return false;
  if (guard(behind)) {
    forget_beginning();
    settle_end(nodes_[s.guard].prev, rule_of_guard(behind), terminal);
  } else {
    spare(4, 1);
    beginning_.next = behind;
  }
  return true;
}

void Sequitur::forget_beginning() {
  beginning_.next = 0;
  used_nodes_ -= kBeginningNodes;
  --used_rules_;
}

// The beginning becomes a rule.
void Sequitur::make_beginning() {
  if (beginning_.next == 0) return;
  const auto [string, first, behind] = beginning_;
  forget_beginning();
  const uint32_t rule = new_rule(), user = new_node(kRuleBit | rule, 1);
  const uint32_t end = replace_last(nodes_[string].prev, rule);
  const uint32_t g = rules_[rule].guard, before = nodes_[first].prev, last = nodes_[behind].prev;
  forget_digram(last);
  link(g, first);
  link(last, g);
  link(before, user);
  link(user, behind);
  digrams_.find_or_insert(nodes_.data(), user);
  if (is_digram(end)) digrams_.hold(digrams_.locate(nodes_.data(), nodes_[end], nodes_[nodes_[end].next]), end);
}

// The last but one symbol `n` of a string is a rule, and stands before an equal of the last one, `second`, in one other
// place only, `m`: both seconds go into the rule. False if that is not all that happens; then nothing has.
bool Sequitur::extend(uint32_t n, const SymbolNode& second, uint32_t m) {
  const SymbolNode* const nodes = nodes_.data();
  const uint32_t symbol = nodes[n].symbol;
  if (!is_rule(symbol) || nodes[n].count != 1 || rules_[rule_of(symbol)].uses != 2) return false;
  if (is_rule(second.symbol) && second.count == 1 && rules_[rule_of(second.symbol)].uses < 3) return false;
  const uint32_t moved = nodes[m].next, behind = nodes[moved].next;
  const uint32_t g = rules_[rule_of(symbol)].guard, last = nodes[g].prev;
  if (behind == n || nodes[last].symbol == second.symbol || nodes[behind].symbol == second.symbol) return false;
  if (digrams_.locate(nodes, nodes[last], second).node() != 0) return false;
  digrams_.erase(nodes, m);
  forget_digram(moved);
  link(m, behind);
  link(last, moved);
  link(moved, g);
  digrams_.find_or_insert(nodes, last);
  if (!guard(behind)) digrams_.find_or_insert(nodes, m);
  return true;
}

// --- the end of a string ---
//
// Most of the work is here: the last two symbols are all of a rule, with it the last two are all of another one, and
// so on. What follows is match, replace, join and settle for this case, step by step, without a list of what is left
// to do.

// The last symbol of a string becomes the rule. Returns where the digram at the end begins now.
[[gnu::always_inline]] inline uint32_t Sequitur::replace_last(uint32_t n, uint32_t rule) {
  SymbolNode* const nodes = nodes_.data();
  const uint32_t left = nodes[n].prev;
  if (digrams_.held() != 0)
    digrams_.drop_held();
  else
    forget_digram(left);
  const uint32_t symbol = kRuleBit | rule;
  change_use(nodes[n].symbol, n, -1);
  nodes[n].symbol = symbol;
  nodes[n].count = 1;
  change_use(symbol, n, +1);
  if (nodes[left].symbol != symbol || !mergeable(left, n)) [[likely]]
    return left;
  const uint32_t before = nodes[left].prev;
  forget_digram(before);
  ++nodes[left].count;
  link(left, nodes[n].next);
  free_node(n);
  return before;
}

// The symbol behind `n` goes, the last one of a string; its digram is in no table.
inline void Sequitur::drop_last(uint32_t n) {
  const uint32_t last = nodes_[n].next;
  link(n, nodes_[last].next);
  free_node(last);
}

// The last symbol of a string, and `second` that is to come behind it, are all of the rule.
void Sequitur::settle_end(uint32_t n, uint32_t rule, uint32_t second) {
  uint32_t first = nodes_[n].symbol;
  for (;;) {
    n = replace_last(n, rule);
    if (useless(first) || useless(second)) break;
    if (!is_digram(n)) return;
    const SymbolNode* const nodes = nodes_.data();
    const uint32_t last = nodes[n].next;
    const DigramTable::Spot spot = digrams_.locate(nodes, nodes[n], nodes[last]);
    const uint32_t m = spot.node();
    if (m == 0) return digrams_.hold(spot, n);
    rule = whole_body(m);
    if (rule == 0) {
      spare(3, 1);
      if (extend(n, nodes_[last], m)) return drop_last(n);
      match(n, m);
      return settle();
    }
    first = nodes[n].symbol;
    second = nodes[last].symbol;
    drop_last(n);
  }
  check_later(n);
  check_utility_later(first);
  check_utility_later(second);
  settle();
}

// --- loops ---

// The runs that a rule stands for, in runs_. False if they are too many.
bool Sequitur::runs_of(uint32_t rule) {
  constexpr size_t kMostRuns = 128, kMostSteps = 1024;
  runs_.clear();
  open_rules_.clear();
  open_rules_.push_back({nodes_[rules_[rule].guard].next, 0});
  for (size_t step = 0; !open_rules_.empty(); ++step) {
    OpenRule& p = open_rules_.back();
    const SymbolNode& n = nodes_[p.node];
    if (step == kMostSteps || runs_.size() > kMostRuns) return false;
    if (guard(p.node)) {
      if (p.more-- == 0)
        open_rules_.pop_back();
      else
        p.node = n.next;
      continue;
    }
    p.node = n.next;
    if (is_rule(n.symbol))
      open_rules_.push_back({nodes_[rules_[rule_of(n.symbol)].guard].next, n.count - 1});
    else if (!runs_.empty() && runs_.back().symbol == n.symbol && runs_.back().count <= kMaxCount - n.count)
      runs_.back().count += n.count;
    else
      runs_.push_back({n.symbol, n.count});
  }
  return runs_.size() <= kMostRuns;
}

// The string ends in the rule, with an exponent.
void Sequitur::expect_loop(String& s, uint32_t rule) {
  if (!runs_of(rule)) return;
  expected_runs_ -= s.period.capacity();
  s.period = runs_;
  expected_runs_ += s.period.capacity();
  s.at = 0;
  s.copies = 0;
}

// What has come of the period is read, nothing is expected any more.
void Sequitur::settle_loop(String& s) {
  make_beginning();
  if (s.copies > 0) push_copies(s);
  for (uint32_t i = 0; i < s.at; ++i) push(s, s.period[i].symbol, s.period[i].count);
  s.period.clear();
  s.at = 0;
  s.copies = 0;
}

// As a rule the string still ends in the rule whose runs were expected. Other strings may have changed that.
void Sequitur::push_copies(const String& s) {
  const uint32_t last = nodes_[nodes_[s.guard].prev].symbol;
  const bool known = is_rule(last) && runs_of(rule_of(last)) && runs_ == s.period;
  for (uint64_t left = s.copies; left > 0;) {
    const uint32_t copies = known ? static_cast<uint32_t>(std::min<uint64_t>(left, kMaxCount)) : 1;
    if (known)
      push_slowly(s, last, copies);
    else
      for (const Run& r : s.period) push(s, r.symbol, r.count);
    left -= copies;
  }
}

void Sequitur::settle_loops() {
  for (String& s : strings_)
    if (!s.period.empty()) settle_loop(s);
}

// --- neighbours ---

// Neighbours that are one symbol: not across a guard, and unless the exponent would overflow.
bool Sequitur::mergeable(uint32_t left, uint32_t right) const {
  const SymbolNode &a = nodes_[left], &b = nodes_[right];
  return a.symbol == b.symbol && left != right && a.count <= kMaxCount - b.count && !guard(left);
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

// --- the result ---

size_t Sequitur::bytes() const {
  constexpr size_t kGrammarBytes = 12;  // a symbol and its share of the rules, and of the columns that they become
  return core_bytes() + grown_bytes(strings_) + expected_runs_ * sizeof(Run) + used_nodes_ * kGrammarBytes;
}

Grammar Sequitur::grammar() {
  std::vector<uint32_t> all(strings());
  std::iota(all.begin(), all.end(), 0u);
  return grammar(all);
}

Grammar Sequitur::grammar(std::span<const uint32_t> strings) {
  settle_loops();
  make_beginning();
  std::vector<uint32_t> starts;
  for (const uint32_t s : strings) starts.push_back(rule_of_guard(strings_[s].guard));
  return grammar_of(starts);
}

}  // namespace cdr
