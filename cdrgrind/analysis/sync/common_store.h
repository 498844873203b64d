// SPDX-License-Identifier: GPL-2.0-or-later
// Whether threads store to a common place in parts of their runs: as where they count themselves.
#ifndef CDRGRIND_ANALYSIS_SYNC_COMMON_STORE_H
#define CDRGRIND_ANALYSIS_SYNC_COMMON_STORE_H

#include <vector>

#include "cdrgrind/analysis/sync/barriers.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::sync {

// Of blocks that are not the preload's own: whether there is a byte that each of the spans stores to. A compact trace
// is read in the spans only.
bool has_common_store(const trace::TraceFile& file, const std::vector<EventSpan>& spans);

}  // namespace cdr::sync

#endif
