// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/block_weights.h"

#include <algorithm>

namespace cdr::trace {

PathUses::PathUses(const PathIndex& paths) : rule_count_(paths.grammar().rules()) {
  const Grammar& g = paths.grammar();
  const std::vector<uint32_t> order = children_first(g);
  ranks_.resize(order.size());
  of_rank_.resize(order.size());
  of_stretch_.resize(paths.stretches().count() + 1);
  for (uint32_t i = 0; i < order.size(); ++i) ranks_[order[i]] = i;
  rules_.reserve(g.symbols());
  for (uint32_t rule = 0; rule < g.rules(); ++rule) rules_.insert(rules_.end(), g.body(rule).size(), rule);
  uint32_t stretches = 0;
  const auto for_each = [&](auto f) {
    for (uint32_t i = 0; i < rules_.size(); ++i) {
      const uint32_t symbol = symbol_at(g, i).symbol;
      if (is_rule(symbol) || is_stretch(symbol)) f(i, symbol);
    }
  };
  for_each([&](uint32_t, uint32_t symbol) {
    if (!is_rule(symbol)) stretches = std::max(stretches, stretch_of(symbol));
  });
  begin_.assign(rule_count_ + stretches + 2, 0);
  for_each([&](uint32_t, uint32_t symbol) { ++begin_[slot(symbol) + 1]; });
  for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  users_.resize(begin_.back());
  std::vector<uint32_t> at(begin_.begin(), begin_.end() - 1);
  for_each([&](uint32_t i, uint32_t symbol) { users_[at[slot(symbol)]++] = i; });
}

size_t PathUses::slot(uint32_t symbol) const {
  return is_rule(symbol) ? rule_of(symbol) : rule_count_ + stretch_of(symbol);
}

std::span<const uint32_t> PathUses::of(uint32_t symbol) const {
  const size_t s = slot(symbol);
  if (s + 1 >= begin_.size()) return {};
  return std::span(users_).subspan(begin_[s], begin_[s + 1] - begin_[s]);
}

EpochWeights::EpochWeights(const PathIndex& paths, const PathUses& uses, std::span<const BlockWeight> weights)
    : paths_(paths), uses_(uses), weights_(weights.begin(), weights.end()) {
  std::vector<uint32_t> stretches;
  for (const BlockWeight& w : weights_)
    for (const uint32_t s : paths.stretches().with_block(w.block)) {
      uint32_t& known = uses.of_stretch_[s];
      if (known == 0) stretches.push_back(s);
      known = 1;
    }
  find_symbols(stretches);
  for (const uint32_t s : stretches)
    uses.of_stretch_[s] = static_cast<uint32_t>(of_stretch(s, paths.stretches().length(s)));
  for (Group& g : groups_)
    for (uint32_t i = g.begin; i < g.end; ++i) {
      entries_[i].before = g.total;
      const Run r = symbol_at(paths.grammar(), entries_[i].symbol);
      const uint64_t one = is_rule(r.symbol) ? groups_[uses.of_rank_[uses.rank(rule_of(r.symbol))]].total
                                             : uses.of_stretch_[stretch_of(r.symbol)];
      g.total += one * r.count;
    }
  for (const uint32_t s : stretches) uses.of_stretch_[s] = 0;
  for (const Group& g : groups_) uses.of_rank_[g.rank] = 0;
}

void EpochWeights::find_symbols(const std::vector<uint32_t>& stretches) {
  std::vector<uint32_t>& of_rank = uses_.of_rank_;  // how many symbols; where the next one goes; number of the group
  std::vector<uint32_t> found, open, ranks;
  const auto add_uses = [&](uint32_t symbol) {
    for (const uint32_t user : uses_.of(symbol)) {
      const uint32_t rule = uses_.rule_with(user), rank = uses_.rank(rule);
      found.push_back(user);
      if (of_rank[rank]++ != 0) continue;
      open.push_back(rule);
      ranks.push_back(rank);
    }
  };
  for (const uint32_t s : stretches) add_uses(terminal_of_stretch(s));
  while (!open.empty()) {
    const uint32_t rule = open.back();
    open.pop_back();
    add_uses(kRuleBit | rule);
  }
  constexpr size_t kFew = 32;  // ranks in ascending order: sorting is faster than looking through all
  if (ranks.size() < of_rank.size() / kFew) {
    std::sort(ranks.begin(), ranks.end());
  } else {
    ranks.clear();
    for (uint32_t rank = 0; rank < of_rank.size(); ++rank)
      if (of_rank[rank] != 0) ranks.push_back(rank);
  }
  entries_.resize(found.size());
  groups_.resize(ranks.size());
  uint32_t end = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    Group& g = groups_[i];
    g.rank = ranks[i];
    g.begin = end;
    g.end = end += of_rank[g.rank];
    of_rank[g.rank] = g.begin;
  }
  for (const uint32_t user : found) entries_[of_rank[uses_.rank(uses_.rule_with(user))]++].symbol = user;
  for (size_t i = 0; i < groups_.size(); ++i) {
    std::sort(entries_.begin() + groups_[i].begin, entries_.begin() + groups_[i].end,
              [](const WeightedSymbol& a, const WeightedSymbol& b) { return a.symbol < b.symbol; });
    of_rank[groups_[i].rank] = static_cast<uint32_t>(i);
  }
}

const EpochWeights::Group* EpochWeights::group(uint32_t rule) const {
  const uint32_t rank = uses_.rank(rule);
  const auto at =
      std::lower_bound(groups_.begin(), groups_.end(), rank, [](const Group& g, uint32_t r) { return g.rank < r; });
  return at != groups_.end() && at->rank == rank ? &*at : nullptr;
}

uint32_t EpochWeights::weight(BlockId id) const {
  const auto at = std::lower_bound(weights_.begin(), weights_.end(), id,
                                   [](const BlockWeight& w, BlockId b) { return w.block < b; });
  return at != weights_.end() && at->block == id ? at->weight : 0;
}

uint64_t EpochWeights::of_stretch(uint32_t stretch, uint32_t blocks) const {
  uint64_t n = 0;
  for (const BlockId b : paths_.stretches().blocks(stretch).first(blocks)) n += weight(b);
  return n;
}

uint64_t EpochWeights::of_symbol(uint32_t symbol) const {
  if (is_stretch(symbol) && !is_rule(symbol))
    return of_stretch(stretch_of(symbol), paths_.stretches().length(stretch_of(symbol)));
  if (!is_rule(symbol)) return 0;
  const Group* g = group(rule_of(symbol));
  return g ? g->total : 0;
}

uint64_t EpochWeights::total(uint32_t string) const {
  const Group* g = group(string);
  return g ? g->total : 0;
}

uint64_t EpochWeights::before(const PathPosition& place) const {
  if (place.way.empty()) return 0;
  uint64_t n = 0;
  const Grammar& grammar = paths_.grammar();
  for (size_t i = 0; i < place.way.size(); ++i) {
    const PathStep& step = place.way[i];
    const uint32_t symbol = symbol_at(grammar, step.symbol).symbol;
    // The first level is in a string, the others in the rule that the level above is.
    const Group* g =
        group(i == 0 ? paths_.string_with(step.symbol) : rule_of(symbol_at(grammar, place.way[i - 1].symbol).symbol));
    if (!g) return n;
    const auto begin = entries_.begin() + g->begin, end = entries_.begin() + g->end;
    const auto at =
        std::lower_bound(begin, end, step.symbol, [](const WeightedSymbol& e, uint32_t s) { return e.symbol < s; });
    n += at == end ? g->total : at->before;
    if (step.copy > 0) n += of_symbol(symbol) * step.copy;
  }
  const uint32_t terminal = paths_.terminal_at(place);
  if (!is_stretch(terminal) || place.offset == 0) return n;
  const StretchEvent e = paths_.stretches().event(stretch_of(terminal), place.offset);
  return n + of_stretch(stretch_of(terminal), e.block + e.follows);
}

bool EpochWeights::find(uint32_t string, uint64_t n, PathPosition& to) const {
  to.way.clear();
  to.offset = 0;
  if (n >= total(string)) return false;
  for (uint32_t rule = string;;) {
    const Group& g = *group(rule);
    const auto begin = entries_.begin() + g.begin, end = entries_.begin() + g.end;
    const auto at = std::partition_point(begin, end, [&](const WeightedSymbol& e) { return e.before <= n; }) - 1;
    const uint32_t symbol = symbol_at(paths_.grammar(), at->symbol).symbol;
    const uint64_t one = of_symbol(symbol);
    n -= at->before;
    to.way.push_back({at->symbol, static_cast<uint32_t>(n / one)});
    n %= one;
    if (is_rule(symbol)) {
      rule = rule_of(symbol);
      continue;
    }
    const auto blocks = paths_.stretches().blocks(stretch_of(symbol));
    uint32_t i = 0;
    for (uint64_t w = weight(blocks[0]); w <= n; w += weight(blocks[i])) ++i;
    to.offset = paths_.stretches().events_before(stretch_of(symbol), i);
    paths_.count(to);
    return true;
  }
}

}  // namespace cdr::trace
