// SPDX-License-Identifier: GPL-2.0-or-later
// The raw trace that general compressors are given: thread by thread, 4 bytes, lowest first, for each block (its id),
// or for each access that happened (the lower half of its address).
#ifndef CDRGRIND_ANALYSIS_COMPARE_RAW_TRACE_H
#define CDRGRIND_ANALYSIS_COMPARE_RAW_TRACE_H

#include <functional>

#include "cdrgrind/analysis/compare/comparison.h"

namespace cdr::compare {

enum class RawPart { kControl, kAddresses };

// Passes the bytes on in pieces. `threads` says how many each thread has; what is kept at a time is bounded by
// `batch_bytes`, at the price of more passes.
void read_raw(const trace::TraceFile& file, RawPart part, const std::vector<ThreadComparison>& threads,
              size_t batch_bytes, const analysis::Progress& progress,
              const std::function<void(std::span<const uint8_t>)>& to);

CompressedSizes raw_sizes(const trace::TraceFile& file, RawPart part, const std::vector<ThreadComparison>& threads,
                          size_t batch_bytes, const analysis::Progress& progress);

}  // namespace cdr::compare

#endif
