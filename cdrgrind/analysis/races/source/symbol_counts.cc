// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/symbol_counts.h"

#include <utility>

namespace cdr::races {

namespace {

constexpr size_t kMostCounts = size_t{1} << 23;
constexpr size_t kMostOfSpecial = 32;

}  // namespace

SymbolCounts::SymbolCounts(const trace::PathIndex& paths, const trace::PathShapes& shapes, const RolesOfBlocks& roles)
    : paths_(paths),
      shapes_(shapes),
      roles_(roles),
      rules_(paths.grammar().rules()),
      known_rules_(rules_.size()),
      position_(roles.roles.size()) {}

// Those that it uses first.
void SymbolCounts::find_rule(uint32_t rule) {
  std::vector<std::pair<uint32_t, size_t>> open{{rule, 0}};  // and how far its body was looked at
  while (!open.empty()) {
    const uint32_t r = open.back().first;
    size_t& next = open.back().second;
    const bool plain = shapes_.of(r | kRuleBit).plain;
    const auto body = paths_.grammar().body(r);
    const auto known = [&](uint32_t symbol) { return !is_rule(symbol) || known_rules_[rule_of(symbol)]; };
    while (plain && next < body.size() && known(body[next].symbol)) ++next;
    if (plain && next < body.size()) {
      open.emplace_back(rule_of(body[next].symbol), 0);
      continue;
    }
    if (plain)
      add_rule(r);
    else
      rules_[r].special = true;
    known_rules_[r] = true;
    open.pop_back();
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
  if (counts_.size() + open_.size() > kMostCounts) s.counted = false;
  if (s.special && open_.size() > kMostOfSpecial) s.counted = false;
  s.special |= !s.counted;
  s.begin = counts_.size();
  if (s.counted) counts_.insert(counts_.end(), open_.begin(), open_.end());
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
  s.counted = true;
  const auto blocks = paths_.stretches().blocks(number);
  for (uint32_t i = 0; i < blocks.size(); ++i) count(blocks[i], 1, paths_.stretches().events_before(number, i), s);
  close(s);
  return s;
}

void SymbolCounts::add_rule(uint32_t rule) {
  for (const Run& r : paths_.grammar().body(rule))
    if (!is_rule(r.symbol)) stretch(stretch_of(r.symbol));
  Summary& s = rules_[rule];
  s.counted = true;
  uint64_t at = 0;
  for (const Run& r : paths_.grammar().body(rule)) {
    const Summary& one = of(r.symbol);
    s.special |= one.special;
    s.library |= one.library;
    s.counted = one.counted && (!s.special || open_.size() <= kMostOfSpecial);
    if (!s.counted) break;
    for (size_t i = one.begin; i < one.end; ++i)
      count(counts_[i].block, counts_[i].count * r.count, at + counts_[i].first, s);
    at += r.count * paths_.events_of(r.symbol);
  }
  close(s);
}

}  // namespace cdr::races
