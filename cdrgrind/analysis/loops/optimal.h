// SPDX-License-Identifier: GPL-2.0-or-later
// The optimal loop nest (Xu and Subhlok 2008, section 3): the best loops of the whole sequence, then of each
// body in turn. A body is at most half of its loop, so all the bodies at all depths together are no longer than
// the sequence, and the whole takes O(n log n) time; besides the sequence and the nest 16 bytes a valley and 12 a run
// (runs.h), without short periods unless all runs are wanted at once (selection.h).
#ifndef CDRGRIND_ANALYSIS_LOOPS_OPTIMAL_H
#define CDRGRIND_ANALYSIS_LOOPS_OPTIMAL_H

#include <cstdint>
#include <span>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/common/symbol_array.h"
#include "cdrgrind/analysis/loops/nest.h"
#include "cdrgrind/analysis/loops/selection.h"

namespace cdr::loops {

struct OptimalOptions {
  LoopOrder order = LoopOrder::kBody;
  bool strict = false;  // the paper's PM-triples, whole or not at all
};

// Fewer than 2^32 - 1 symbols. If it is stopped, loops are missing, and the nest says so.
LoopNest optimal_nest(std::span<const uint32_t> text, const OptimalOptions& options = {},
                      const analysis::Watch& watch = {});
LoopNest optimal_nest(const analysis::SymbolArray& text, const OptimalOptions& options = {},
                      const analysis::Watch& watch = {});

}  // namespace cdr::loops

#endif
