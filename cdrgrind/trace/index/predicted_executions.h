// SPDX-License-Identifier: GPL-2.0-or-later
// How often each thread executes each block in an epoch some of whose pieces are predicted, without following the
// prediction: of the grammar's pieces by the grammar, of the others by what the recorder has counted.
#ifndef CDRGRIND_TRACE_INDEX_PREDICTED_EXECUTIONS_H
#define CDRGRIND_TRACE_INDEX_PREDICTED_EXECUTIONS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/trace/index/stretch_index.h"
#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

struct PredictedExecutions {
  // Whether the recorder has counted; older ones have not.
  static bool are_kept(const Columns& control);

  struct Counted {
    BlockId block;
    uint64_t times = 0;
  };
  // By thread (of those with a path); a block may come several times.
  std::vector<std::vector<Counted>> threads;

  // False if the columns are damaged. `limit`: how many stretches the epoch may use.
  bool read(const Columns& control, size_t thread_count, const StretchIndex& stretches, uint32_t limit,
            const BlockTable& blocks);
};

}  // namespace cdr::trace

#endif
