// SPDX-License-Identifier: GPL-2.0-or-later
// For each rule and stretch of an epoch's paths: how often it executes each block that has to be counted, and where it
// does so first; and whether it has a block that is looked at execution by execution. Of those that have, only of what
// few blocks make, as loops that wait are.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_SYMBOL_COUNTS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_SYMBOL_COUNTS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/races/source/block_roles.h"
#include "cdrgrind/analysis/walk/event_stream.h"
#include "cdrgrind/trace/index/path_shapes.h"

namespace cdr::races {

using analysis::BlockCount;

class SymbolCounts {
 public:
  SymbolCounts(const trace::PathIndex& paths, const trace::PathShapes& shapes, const RolesOfBlocks& roles);

  struct Summary {
    bool special = false;  // or too much to keep
    bool library = false;
    bool counted = false;  // else there are no counts
    size_t begin = 0, end = 0;
  };
  // The first time O(symbols that it derives and were not asked for).
  const Summary& of(uint32_t symbol) {
    if (!is_rule(symbol)) return stretch(stretch_of(symbol));
    if (!known_rules_[rule_of(symbol)]) find_rule(rule_of(symbol));
    return rules_[rule_of(symbol)];
  }
  std::span<const BlockCount> counts(const Summary& s) const {
    return std::span(counts_).subspan(s.begin, s.end - s.begin);
  }

 private:
  const Summary& stretch(uint32_t number);
  void count(BlockId id, uint64_t n, uint64_t at, Summary& to);
  void find_rule(uint32_t rule);
  void add_rule(uint32_t rule);
  void close(Summary& s);

  const trace::PathIndex& paths_;
  const trace::PathShapes& shapes_;
  const RolesOfBlocks& roles_;
  std::vector<Summary> rules_, stretches_;
  std::vector<bool> known_rules_, known_;  // rules, stretches
  std::vector<BlockCount> counts_;
  std::vector<uint32_t> position_;  // by block: in open_, + 1
  std::vector<BlockCount> open_;
};

}  // namespace cdr::races

#endif
