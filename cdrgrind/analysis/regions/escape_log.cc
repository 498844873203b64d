// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/escape_log.h"

namespace cdr::regions {

uint32_t EscapeLog::record(SiteIndex store, uint32_t depth, LoopId around) {
  const auto [known, is_new] = record_of_.insert({uint64_t{around.value} << 32 | depth, store});
  if (!is_new) return *known;
  const uint32_t chain = chain_of(store, depth, around);
  const size_t loops = chains_[chain].size();
  if (loops == 0) return 0;
  *known = static_cast<uint32_t>(records_.size());
  records_.push_back({store, chain, words_.size()});
  words_.resize(words_.size() + 2 * ((loops + kWord - 1) / kWord));
  return *known;
}

uint32_t EscapeLog::chain_of(SiteIndex store, uint32_t depth, LoopId around) {
  ContextIndex c = contexts_.site(store).context;
  const auto innermost = [&](uint64_t ip) {
    return contexts_[c].library ? LoopId() : loops_.of(contexts_[c].function).at(ip);
  };
  LoopId l = innermost(contexts_.ip_of(store));
  const auto [known, is_new] = chain_of_.insert({uint64_t{around.value} << 32 | depth, uint64_t{c} << 32 | l.value});
  if (!is_new) return *known;
  std::vector<LoopId> chain;
  while (c && contexts_[c].depth >= depth) {
    for (; l && !(contexts_[c].depth == depth && l == around); l = loops_[l].parent) chain.push_back(l);
    const uint64_t ip = contexts_[c].site;
    c = contexts_[c].parent;
    if (c) l = innermost(ip);
  }
  *known = static_cast<uint32_t>(chains_.size());
  chains_.push_back(std::move(chain));
  return *known;
}

std::vector<Escape> EscapeLog::of_rows(std::span<const CarriedRow> rows) const {
  std::vector<Escape> escapes;
  FlatMap<uint64_t, uint32_t> index;  // by loop and store; + 1
  std::vector<bool> asked(contexts_.site_count());
  const auto ask = [&](LoopId loop, SiteIndex s) {
    index.insert(uint64_t{loop.value} << 32 | s);
    asked[s] = true;
  };
  for (const CarriedRow& d : rows) {
    ask(d.loop, d.source);
    ask(d.loop, d.target);
  }
  for (size_t r = 1; r < records_.size(); ++r) {
    const Record& record = records_[r];
    if (!asked[record.store]) continue;
    const auto& chain = chains_[record.chain];
    for (size_t i = 0; i < chain.size(); ++i) {
      const auto has = [&](size_t word) {
        return (words_[record.words + 2 * (i / kWord) + word] >> i % kWord & 1) != 0;
      };
      if (!has(0) && !has(1)) continue;
      uint32_t* const known = index.find(uint64_t{chain[i].value} << 32 | record.store);
      if (!known) continue;
      if (*known == 0) {
        escapes.push_back({chain[i], record.store});
        *known = static_cast<uint32_t>(escapes.size());
      }
      Escape& e = escapes[*known - 1];
      e.by_last |= has(0);
      e.by_others |= has(1);
    }
  }
  return escapes;
}

}  // namespace cdr::regions
