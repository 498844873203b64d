// SPDX-License-Identifier: GPL-2.0-or-later
// How often each thread executes each block in an epoch, from the grammar of its path without unfolding it.
#ifndef CDRGRIND_TRACE_INDEX_PATH_EXECUTIONS_H
#define CDRGRIND_TRACE_INDEX_PATH_EXECUTIONS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/encode/path_terminals.h"
#include "cdrgrind/trace/index/path_index.h"

namespace cdr::trace {

// By number of a stretch, how often the strings from `first` to `end` use it. `order`: children_first().
inline std::vector<uint64_t> stretches_used(const Grammar& g, const std::vector<uint32_t>& order, uint32_t first,
                                            uint32_t end) {
  std::vector<uint64_t> rules(g.rules()), stretches;
  std::fill(rules.begin() + first, rules.begin() + end, 1);
  for (auto r = order.rbegin(); r != order.rend(); ++r) {
    const uint64_t times = rules[*r];
    if (times == 0) continue;
    for (const Run& run : g.body(*r)) {
      if (is_rule(run.symbol)) {
        rules[rule_of(run.symbol)] += times * run.count;
      } else if (is_stretch(run.symbol)) {
        const uint32_t s = stretch_of(run.symbol);
        if (s >= stretches.size()) stretches.resize(s + 1);
        stretches[s] += times * run.count;
      }
    }
  }
  return stretches;
}

class PathExecutions {
 public:
  PathExecutions(const PathIndex& paths, uint32_t blocks)
      : paths_(paths), blocks_(blocks), order_(children_first(paths.grammar())) {}

  // By block id. O(symbols + stretches).
  std::vector<uint64_t> of(uint32_t string) const {
    std::vector<uint64_t> executed(blocks_ + 1);
    const auto stretches = stretches_used(paths_.grammar(), order_, string, string + 1);
    for (uint32_t s = 1; s < stretches.size(); ++s)
      if (stretches[s] != 0)
        for (const BlockId id : paths_.stretches().blocks(s)) executed[id.value] += stretches[s];
    return executed;
  }

 private:
  const PathIndex& paths_;
  uint32_t blocks_;
  std::vector<uint32_t> order_;
};

}  // namespace cdr::trace

#endif
