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
    for (; l && !(contexts_[c].depth == depth && l == around); l = loops_.parent(l)) chain.push_back(l);
    const uint64_t ip = contexts_[c].site;
    c = contexts_[c].parent;
    if (c) l = innermost(ip);
  }
  *known = static_cast<uint32_t>(chains_.size());
  chains_.push_back(std::move(chain));
  return *known;
}

// One instruction has a site in each superblock that it is part of, and stores to one object by whatever of them.
std::vector<Escape> EscapeLog::of_rows(std::span<const CarriedRow> rows) const {
  FlatMap<WordPair, uint32_t, WordPairHash> numbers;  // of instructions in contexts; + 1
  const auto insn_of = [&](SiteIndex s) { return WordPair{contexts_.site(s).context, contexts_.ip_of(s)}; };
  FlatMap<uint64_t, uint32_t> left;  // by loop and instruction: by the last iteration, by others
  const auto for_ends = [&](auto f) {
    for (const CarriedRow& d : rows)
      for (const SiteIndex s : {d.source, d.target}) f(d.loop, s);
  };
  for_ends([&](LoopId loop, SiteIndex s) {
    uint32_t& number = numbers[insn_of(s)];
    if (number == 0) number = static_cast<uint32_t>(numbers.size());
    left.insert(uint64_t{loop.value} << 32 | number);
  });
  for (size_t r = 1; r < records_.size(); ++r) {
    const Record& record = records_[r];
    const uint32_t* const number = numbers.find(insn_of(record.store));
    if (!number) continue;
    const auto& chain = chains_[record.chain];
    for (size_t i = 0; i < chain.size(); ++i) {
      const auto has = [&](size_t word) {
        return static_cast<uint32_t>(words_[record.words + 2 * (i / kWord) + word] >> i % kWord & 1);
      };
      if (uint32_t* const known = left.find(uint64_t{chain[i].value} << 32 | *number)) *known |= has(0) | has(1) << 1;
    }
  }
  std::vector<Escape> escapes;
  FlatMap<uint64_t, bool> told;  // by loop and store
  for_ends([&](LoopId loop, SiteIndex s) {
    const uint32_t by = *left.find(uint64_t{loop.value} << 32 | *numbers.find(insn_of(s)));
    if (by != 0 && told.insert(uint64_t{loop.value} << 32 | s).second)
      escapes.push_back({loop, s, (by & 1) != 0, (by & 2) != 0});
  });
  return escapes;
}

}  // namespace cdr::regions
