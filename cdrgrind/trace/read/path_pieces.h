// SPDX-License-Identifier: GPL-2.0-or-later
// The control paths of an epoch some of whose pieces are predicted (encode/epoch.h).
#ifndef CDRGRIND_TRACE_READ_PATH_PIECES_H
#define CDRGRIND_TRACE_READ_PATH_PIECES_H

#include <cstdint>
#include <optional>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/encode/grammar.h"
#include "cdrgrind/encode/path_predictor.h"
#include "cdrgrind/encode/path_terminals.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

// A symbol that tells an event, or that the grammar goes on (kGrammarSymbol); with what stands before it.
struct PredictedStep {
  uint32_t symbol = 0;
  uint32_t naming = 0;  // kNameTerminal, kRenameSymbol, or neither
  bool bare = false;    // of a block: what is bound to follow it does not come at once
};

// Whether the columns of a CONTROL frame are of this form.
inline bool is_predicted(const Columns& control) {
  const auto form = control[kPathForm];
  return form.size() == 1 && static_cast<ControlForm>(form[0]) == ControlForm::kPredicted;
}

struct PathPieces {
  Grammar grammar;     // strings of thread i (of those with a path): i * count … (i + 1) * count - 1
  uint32_t count = 0;  // of the grammar's pieces; predicted ones stand before each but the first, and behind the last
  std::optional<PredictionReader> prediction;

  // False if the columns are damaged. `control` must stay; `stretches`: how many the epoch may use.
  bool read(const Columns& control, size_t threads, uint32_t stretches, const BlockTable& blocks);
  // The next step of the thread whose context that is. Null, or what is damaged.
  const char* next(PathPredictor::Context& context, PredictedStep& to) {
    to = {};
    to.symbol = prediction->get(context);
    if (is_block(to.symbol) && prediction->ok()) [[likely]]
      return nullptr;
    return rest_of(context, to);
  }

 private:
  // Behind its first symbol.
  const char* rest_of(PathPredictor::Context& context, PredictedStep& to);
};

}  // namespace cdr::trace

#endif
