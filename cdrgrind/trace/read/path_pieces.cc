// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/path_pieces.h"

namespace cdr::trace {

bool PathPieces::read(const Columns& control, size_t threads, uint32_t stretches, const BlockTable& blocks) {
  const auto columns = control.part<kGrammarColumns>(kPathGrammar);
  const uint64_t bodies = columns[kGrammarLengths].size();
  ByteReader pieces(control[kPathPieces]);
  count = static_cast<uint32_t>(pieces.bounded(bodies));
  const uint64_t strings = uint64_t{count} * threads;
  if (!pieces.ok() || !pieces.at_end() || strings > bodies) return false;
  if (!read_columns(columns, kFirstStretchTerminal, static_cast<uint32_t>(strings), kFirstStretchTerminal + stretches,
                    grammar))
    return false;
  prediction.emplace(control.part<kPredictionColumns>(kPathPrediction), kFirstStretchTerminal,
                     kFirstStretchTerminal + blocks.block_count());
  return true;
}

const char* PathPieces::rest_of(PathPredictor::Context& context, PredictedStep& to) {
  for (;; to.symbol = prediction->get(context)) {
    if (!prediction->ok()) return "a thread's path ends early";
    if (to.symbol == kBareSymbol && !to.bare) {
      to.bare = true;
      continue;
    }
    if (is_block(to.symbol)) return nullptr;
    if (to.bare) return "no event is bound to follow";
    if (to.symbol == kNameTerminal || to.symbol == kRenameSymbol) {
      if (to.naming != 0) return "a frame is named twice";
      to.naming = to.symbol;
      continue;
    }
    if (to.symbol == kGrammarSymbol && to.naming != 0) return "its control paths are damaged";
    return nullptr;
  }
}

}  // namespace cdr::trace
