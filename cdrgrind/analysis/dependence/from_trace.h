// SPDX-License-Identifier: GPL-2.0-or-later
// The dependences of a trace, computed from its events: by one thread, or by one that reads and several that share the
// memory among them (depend/part_results.h). The table is the same.
#ifndef CDRGRIND_ANALYSIS_DEPENDENCE_FROM_TRACE_H
#define CDRGRIND_ANALYSIS_DEPENDENCE_FROM_TRACE_H

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/depend/engine.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::analysis {

constexpr unsigned kMostParts = 64;

// `parts`: 1 to kMostParts; that of `options` does not matter. Throws what reading throws.
depend::ResultTable dependences_from(const trace::TraceFile& file, const depend::Options& options, unsigned parts,
                                     const Progress& progress);

}  // namespace cdr::analysis

#endif
