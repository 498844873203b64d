// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/grammar_sums.h"

namespace cdr::trace {

// A rule is taken when nothing that it uses is left.
std::vector<uint32_t> children_first(const Grammar& g) {
  std::vector<uint32_t> users(g.rules());
  const auto for_each_use = [&](uint32_t rule, auto f) {
    for (const Run& r : g.body(rule))
      if (is_rule(r.symbol)) f(rule_of(r.symbol));
  };
  for (uint32_t rule = 0; rule < g.rules(); ++rule) for_each_use(rule, [&](uint32_t used) { ++users[used]; });
  std::vector<uint32_t> order;
  for (uint32_t rule = 0; rule < g.rules(); ++rule)
    if (users[rule] == 0) order.push_back(rule);
  for (size_t i = 0; i < order.size(); ++i)
    for_each_use(order[i], [&](uint32_t used) {
      if (--users[used] == 0) order.push_back(used);
    });
  std::reverse(order.begin(), order.end());
  return order;
}

WayCursor::WayCursor(const Grammar& g, Way way) : grammar_(&g), way_(std::move(way)) {
  for (size_t i = 0; i < way_.size(); ++i) {
    if (i == 0) {
      uint32_t string = 0;
      while (first_symbol(g, string) + g.body(string).size() <= way_[0].symbol) ++string;
      rules_.push_back(string);
    } else {
      rules_.push_back(rule_of(symbol_at(g, way_[i - 1].symbol).symbol));
    }
  }
}

WayCursor::WayCursor(const Grammar& g, uint32_t string) : grammar_(&g) {
  if (!g.body(string).empty()) descend(string);
}

void WayCursor::descend(uint32_t rule) {
  for (;;) {
    way_.push_back({first_symbol(*grammar_, rule), 0});
    rules_.push_back(rule);
    const uint32_t symbol = terminal();
    if (!is_rule(symbol)) return;
    rule = rule_of(symbol);
  }
}

void WayCursor::skip(uint32_t copies) {
  way_.back().copy += copies;
  while (!way_.empty()) {
    PathStep& s = way_.back();
    const Run r = symbol_at(*grammar_, s.symbol);
    if (s.copy < r.count) {
      if (is_rule(r.symbol)) descend(rule_of(r.symbol));
      return;
    }
    const uint32_t rule = rules_.back();
    if (s.symbol + 1 < first_symbol(*grammar_, rule) + grammar_->body(rule).size()) {
      s = {s.symbol + 1, 0};
      const uint32_t symbol = terminal();
      if (is_rule(symbol)) descend(rule_of(symbol));
      return;
    }
    way_.pop_back();
    rules_.pop_back();
    if (!way_.empty()) ++way_.back().copy;
  }
}

}  // namespace cdr::trace
