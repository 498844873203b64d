// SPDX-License-Identifier: GPL-2.0-or-later
// Places in a grammar, and sums of weights up to them: for each symbol of a body what lies before it in the body, for
// each rule the whole. These are the counts at the edges of Goel, Roychoudhury and Mitra 2003, section 2.2, and
// find() is their Algorithm 1, for any weight of terminals that is additive, and with exponents. Derived, not stored.
//
// A place is the way down from a string: at each level the symbol, and which of its copies.
#ifndef CDRGRIND_TRACE_INDEX_GRAMMAR_SUMS_H
#define CDRGRIND_TRACE_INDEX_GRAMMAR_SUMS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/encode/grammar.h"

namespace cdr::trace {

// `symbol` counts over all bodies, in the order of the rules; `copy` < its exponent.
struct PathStep {
  uint32_t symbol = 0;
  uint32_t copy = 0;
  bool operator==(const PathStep&) const = default;
};
using Way = std::vector<PathStep>;

inline uint32_t first_symbol(const Grammar& g, uint32_t rule) {
  return static_cast<uint32_t>(g.body(rule).data() - g.body(0).data());
}
inline Run symbol_at(const Grammar& g, uint32_t symbol) { return g.body(0).data()[symbol]; }

// All rules, each behind those that it uses.
std::vector<uint32_t> children_first(const Grammar& g);

// T: `bool add(const T&, uint64_t count)`, false if a sum is out of range.
template <class T>
class GrammarSums {
 public:
  // weigh(terminal) is a T. False if a sum is out of range.
  template <class Weigh>
  bool build(const Grammar& g, Weigh weigh) {
    before_.assign(g.symbols(), T());
    totals_.assign(g.rules(), T());
    for (const uint32_t rule : children_first(g)) {
      T sum;
      uint32_t at = first_symbol(g, rule);
      for (const Run& r : g.body(rule)) {
        before_[at++] = sum;
        if (!sum.add(one(r.symbol, weigh), r.count)) return false;
      }
      totals_[rule] = sum;
    }
    return true;
  }

  const T& total(uint32_t rule) const { return totals_[rule]; }
  // In its body.
  const T& before(uint32_t symbol) const { return before_[symbol]; }
  // Of one copy of the symbol.
  template <class Weigh>
  T one(uint32_t symbol, Weigh weigh) const {
    return is_rule(symbol) ? totals_[rule_of(symbol)] : weigh(symbol);
  }

  // The way to the terminal that holds unit `n` (from 0) of the weight `key`. On return `n` is what of it lies inside
  // the terminal; what is before the terminal was added to `sum`. False if there are no more than n. O(depth * log).
  template <class Key, class Weigh>
  bool find(const Grammar& g, uint32_t rule, Key key, Weigh weigh, uint64_t& n, Way& way, T& sum) const {
    way.clear();
    if (n >= key(totals_[rule])) return false;
    for (;;) {
      const uint32_t begin = first_symbol(g, rule), end = begin + static_cast<uint32_t>(g.body(rule).size());
      const auto behind = std::partition_point(before_.begin() + begin, before_.begin() + end,
                                               [&](const T& before) { return key(before) <= n; });
      const auto symbol = static_cast<uint32_t>(behind - before_.begin()) - 1;
      const uint32_t what = symbol_at(g, symbol).symbol;
      const T w = one(what, weigh);
      n -= key(before_[symbol]);
      const uint64_t copy = n / key(w);
      n -= copy * key(w);
      sum.add(before_[symbol], 1);
      sum.add(w, copy);
      way.push_back({symbol, static_cast<uint32_t>(copy)});
      if (!is_rule(what)) return true;
      rule = rule_of(what);
    }
  }

  // What lies before the terminal at the end of the way.
  template <class Weigh>
  T before(const Grammar& g, const Way& way, Weigh weigh) const {
    T sum;
    for (const PathStep& s : way) {
      sum.add(before_[s.symbol], 1);
      sum.add(one(symbol_at(g, s.symbol).symbol, weigh), s.copy);
    }
    return sum;
  }

 private:
  std::vector<T> before_, totals_;
};

// Reads the terminals of a string from a place on, a run of equal ones at a time.
class WayCursor {
 public:
  WayCursor() = default;
  // At the terminal that `way` leads to.
  WayCursor(const Grammar& g, Way way);
  // From the start of the string.
  WayCursor(const Grammar& g, uint32_t string);

  bool at_end() const { return way_.empty(); }
  // The way to the terminal that comes next.
  const Way& way() const { return way_; }
  uint32_t terminal() const { return symbol_at(*grammar_, way_.back().symbol).symbol; }
  // Copies of it that are left, at least 1.
  uint32_t left() const { return symbol_at(*grammar_, way_.back().symbol).count - way_.back().copy; }
  // Behind `copies` of them.
  void skip(uint32_t copies);

 private:
  void descend(uint32_t rule);
  const Grammar* grammar_ = nullptr;
  Way way_;
  std::vector<uint32_t> rules_;  // whose bodies the steps are in
};

}  // namespace cdr::trace

#endif
