// SPDX-License-Identifier: GPL-2.0-or-later
// How often each thread executes each block in an epoch some of whose pieces are predicted, without following the
// prediction: of the grammar's pieces by the grammar, of the others by what the recorder has counted.
#ifndef CDRGRIND_TRACE_INDEX_PREDICTED_EXECUTIONS_H
#define CDRGRIND_TRACE_INDEX_PREDICTED_EXECUTIONS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/trace/index/stretch_index.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

struct PredictedExecutions {
  struct Counted {
    BlockId block;
    uint64_t times = 0;
  };
  struct OfThread {
    uint32_t serial = 0;
    std::vector<Counted> blocks;  // one may come several times
  };
  std::vector<OfThread> threads;  // those with a path, ascending

  // Nothing if the epoch has another form, or the recorder has not counted, as older ones have not. Throws TraceError.
  // `control`: file.control(number).
  static std::optional<PredictedExecutions> of_epoch(const TraceFile& file, const StretchIndex& stretches,
                                                     size_t number, const Columns& control);
};

}  // namespace cdr::trace

#endif
