// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/symbol_counts.h"

namespace cdr::races {

namespace {

constexpr size_t kMostCounts = size_t{1} << 23;

}  // namespace

SymbolCounts::SymbolCounts(const trace::PathIndex& paths, const trace::PathShapes& shapes, const BlockRoles& roles)
    : paths_(paths), roles_(roles), rules_(paths.grammar().rules()), position_(roles.roles.size()) {
  for (const uint32_t r : trace::children_first(paths.grammar())) {
    if (shapes.of(r | kRuleBit).plain)
      add_rule(r);
    else
      rules_[r].special = true;
  }
}

void SymbolCounts::count(BlockId id, uint64_t n, uint64_t at, Summary& to) {
  const BlockRole role = roles_.of(id);
  if (role == BlockRole::kPrivate) return;
  if (role == BlockRole::kSpecial) to.special = true;
  if (role == BlockRole::kLibrary) to.library = true;
  uint32_t& p = position_[id.value];
  if (p == 0) {
    open_.push_back({id, n, at});
    p = static_cast<uint32_t>(open_.size());
  } else {
    open_[p - 1].count += n;
  }
}

void SymbolCounts::close(Summary& s) {
  for (const BlockCount& c : open_) position_[c.block.value] = 0;
  if (counts_.size() + open_.size() > kMostCounts) s.special = true;
  s.begin = counts_.size();
  if (!s.special) counts_.insert(counts_.end(), open_.begin(), open_.end());
  s.end = counts_.size();
  open_.clear();
}

const SymbolCounts::Summary& SymbolCounts::stretch(uint32_t number) {
  if (number >= stretches_.size()) {
    stretches_.resize(number + 1);
    known_.resize(number + 1);
  }
  Summary& s = stretches_[number];
  if (known_[number]) return s;
  known_[number] = true;
  const auto blocks = paths_.stretches().blocks(number);
  for (uint32_t i = 0; i < blocks.size(); ++i) count(blocks[i], 1, paths_.stretches().events_before(number, i), s);
  close(s);
  return s;
}

uint64_t SymbolCounts::events_of(uint32_t symbol) const {
  return is_rule(symbol) ? paths_.sums().total(rule_of(symbol)).events : paths_.weigh(symbol).events;
}

void SymbolCounts::add_rule(uint32_t rule) {
  for (const Run& r : paths_.grammar().body(rule))
    if (!is_rule(r.symbol)) stretch(stretch_of(r.symbol));
  Summary& s = rules_[rule];
  uint64_t at = 0;
  for (const Run& r : paths_.grammar().body(rule)) {
    const Summary& one = of(r.symbol);
    s.special |= one.special;
    s.library |= one.library;
    for (size_t i = one.begin; i < one.end; ++i)
      count(counts_[i].block, counts_[i].count * r.count, at + counts_[i].first, s);
    at += r.count * events_of(r.symbol);
    if (s.special) break;
  }
  close(s);
}

}  // namespace cdr::races
