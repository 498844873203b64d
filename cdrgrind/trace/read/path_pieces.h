// SPDX-License-Identifier: GPL-2.0-or-later
// The control paths of an epoch some of whose pieces are predicted (encode/epoch.h).
#ifndef CDRGRIND_TRACE_READ_PATH_PIECES_H
#define CDRGRIND_TRACE_READ_PATH_PIECES_H

#include <cstdint>
#include <optional>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/encode/grammar.h"
#include "cdrgrind/encode/path_predictor.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

struct PathPieces {
  Grammar grammar;     // strings of thread i (of those with a path): i * count … (i + 1) * count - 1
  uint32_t count = 0;  // of the grammar's pieces; predicted ones stand before each but the first, and behind the last
  std::optional<PredictionReader> prediction;

  // False if the columns are damaged. `control` must stay; `stretches`: how many the epoch may use.
  bool read(const Columns& control, size_t threads, uint32_t stretches, const BlockTable& blocks);
};

}  // namespace cdr::trace

#endif
