// SPDX-License-Identifier: GPL-2.0-or-later
// Nests of words by the real algorithms, as the line that `cdrgrind loops --format=nest` prints.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_LOOPS_NESTS_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_LOOPS_NESTS_H

#include <string>

#include "cdrgrind/analysis/loops/greedy.h"
#include "cdrgrind/analysis/loops/optimal.h"
#include "cdrgrind/report/loops/loop_nest.h"
#include "tests/unit/analysis/loops/strings.h"

namespace cdr::nests {

inline std::string line_of(const analysis::SymbolSequence& sequence, const loops::LoopNest& nest) {
  report::Output out;
  write_loop_line({"", "", "", false, 0, 0, sequence, nest}, out);
  std::string line = out.text();
  line.pop_back();
  return line;
}

inline std::string optimal(const reference::Words& words, const reference::Choice& choice = {}) {
  const analysis::SymbolSequence sequence = strings::sequence_of(words);
  const auto order = choice.by_span ? loops::LoopOrder::kSpan : loops::LoopOrder::kBody;
  return line_of(sequence, loops::optimal_nest(sequence.symbols, {order, choice.strict}));
}

inline std::string greedy(const reference::Words& words) {
  const analysis::SymbolSequence sequence = strings::sequence_of(words);
  return line_of(sequence, loops::greedy_nest(sequence.symbols));
}

}  // namespace cdr::nests

#endif
