// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/plain_rules.h"

#include <algorithm>

#include "cdrgrind/encode/path_terminals.h"

namespace cdr::trace {

uint64_t PlainRules::blocks(uint32_t symbol) const {
  if (is_rule(symbol)) return rules_[rule_of(symbol)];
  return is_stretch(symbol) && stretch_of(symbol) <= limit_ ? (*stretches_)[stretch_of(symbol)].size() : 0;
}

uint64_t PlainRules::of_body(const Grammar& g, uint32_t rule) const {
  uint64_t sum = 0;
  for (const Run& run : g.body(rule)) {
    const uint64_t one = blocks(run.symbol);
    if (one == 0) return 0;
    sum += one > kMost / run.count ? kMost : one * run.count;
    sum = std::min(sum, kMost);
  }
  return sum;
}

// Each rule behind those that it uses: a walk of its own, for grammars are as deep as they like.
void PlainRules::learn(const Grammar& g, const StretchTable& stretches, uint32_t limit) {
  stretches_ = &stretches;
  limit_ = limit;
  rules_.assign(g.rules(), 0);
  struct Open {
    uint32_t rule, at;
  };
  std::vector<bool> seen(g.rules());
  std::vector<Open> open;
  for (uint32_t string = 0; string < g.strings(); ++string) {
    open.push_back({string, 0});
    while (!open.empty()) {
      Open& o = open.back();
      const auto body = g.body(o.rule);
      while (o.at < body.size() && (!is_rule(body[o.at].symbol) || seen[rule_of(body[o.at].symbol)])) ++o.at;
      if (o.at < body.size()) {
        const uint32_t child = rule_of(body[o.at].symbol);
        seen[child] = true;
        open.push_back({child, 0});
      } else {
        rules_[o.rule] = of_body(g, o.rule);
        open.pop_back();
      }
    }
  }
}

}  // namespace cdr::trace
