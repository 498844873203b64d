// SPDX-License-Identifier: GPL-2.0-or-later
// The words of the compact form's address streams (thread, block, base slot), against zstd -19 of the same words: all
// streams together, each on its own, and how many long ones the compact form encodes worse.
#ifndef CDRGRIND_ANALYSIS_COMPARE_STREAM_WORDS_H
#define CDRGRIND_ANALYSIS_COMPARE_STREAM_WORDS_H

#include "cdrgrind/analysis/compare/comparison.h"

namespace cdr::compare {

// `executions`: of blocks, by thread and block.
StreamComparison compare_streams(const trace::TraceFile& file, const std::vector<std::vector<uint64_t>>& executions,
                                 size_t batch_bytes, const analysis::Progress& progress);

}  // namespace cdr::compare

#endif
