// SPDX-License-Identifier: GPL-2.0-or-later
// How often blocks were executed before a place, and the place of the k-th execution: for one block, or any set of
// blocks with weights (a source line: the blocks with the addresses where a debugger would stop). Made on demand, of
// the rules alone that lead to the blocks.
#ifndef CDRGRIND_TRACE_INDEX_BLOCK_WEIGHTS_H
#define CDRGRIND_TRACE_INDEX_BLOCK_WEIGHTS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/trace/index/path_index.h"

namespace cdr::trace {

// What one execution of the block counts.
struct BlockWeight {
  BlockId block;
  uint32_t weight = 1;
};

// Which symbols of an epoch's paths use a rule or a stretch.
class PathUses {
 public:
  explicit PathUses(const PathIndex& paths);
  // Symbols, ascending.
  std::span<const uint32_t> of(uint32_t symbol) const;
  uint32_t rule_with(uint32_t symbol) const { return rules_[symbol]; }
  // Of a rule, in an order in which children come first.
  uint32_t rank(uint32_t rule) const { return ranks_[rule]; }

 private:
  friend class EpochWeights;
  size_t slot(uint32_t symbol) const;
  uint32_t rule_count_;
  std::vector<uint32_t> rules_, ranks_;
  std::vector<uint32_t> begin_, users_;  // by slot: rules, then stretches
  // For who is at work; zeros in between.
  mutable std::vector<uint32_t> of_rank_, of_stretch_;
};

// Executions in one epoch. Not changed once built.
class EpochWeights {
 public:
  // O(1) for each symbol that leads to one of the blocks, or O(log) of those of its rule. `paths` and `uses` must
  // outlive it, and `uses` is not for several threads. `weights`: by ascending blocks.
  EpochWeights(const PathIndex& paths, const PathUses& uses, std::span<const BlockWeight> weights);

  uint64_t total(uint32_t string) const;
  // Before a place.
  uint64_t before(const PathPosition& place) const;
  // Before the block that holds unit n (from 0); false if there are not so many.
  bool find(uint32_t string, uint64_t n, PathPosition& to) const;
  size_t bytes() const { return entries_.size() * sizeof(WeightedSymbol) + groups_.size() * sizeof(Group); }

 private:
  struct WeightedSymbol {
    uint32_t symbol = 0;
    uint64_t before = 0;  // in the body
  };
  struct Group {
    uint32_t rank = 0;            // of the rule
    uint32_t begin = 0, end = 0;  // in entries_
    uint64_t total = 0;
  };
  // Symbols that lead to the blocks, into entries_, by rules, into groups_. Leaves the number of each rule's group in
  // uses_.of_rank_.
  void find_symbols(const std::vector<uint32_t>& stretches);
  const Group* group(uint32_t rule) const;
  uint64_t of_symbol(uint32_t symbol) const;
  uint64_t of_stretch(uint32_t stretch, uint32_t blocks) const;
  uint32_t weight(BlockId id) const;

  const PathIndex& paths_;
  const PathUses& uses_;
  std::vector<BlockWeight> weights_;
  std::vector<WeightedSymbol> entries_;
  std::vector<Group> groups_;  // by ascending ranks
};

}  // namespace cdr::trace

#endif
