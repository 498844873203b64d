// SPDX-License-Identifier: GPL-2.0-or-later
// The control flow of a trace in several compressed forms, for comparison: what general compressors make of it,
// SEQUITUR (Larus 1999), stretches, strata (Gorton 2008) and loop nests (Xu and Subhlok 2008).
//
// All forms hold the same: for each thread the sequence of the trace's blocks, as numbers of four bytes. What they
// need of dictionaries is in them; the block table is in none. Columns of all forms but gzip's and xz's are compressed
// by zstd -19.
#ifndef CDRGRIND_ANALYSIS_COMPARE_CONTROL_FORMS_H
#define CDRGRIND_ANALYSIS_COMPARE_CONTROL_FORMS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/big_array.h"
#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/base/bytes.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::compare {

struct ControlFlow {
  std::vector<analysis::BigArray<uint32_t>> threads;  // numbers of blocks; those that executed none are left out
  uint64_t blocks() const;
  uint64_t raw_bytes() const { return 4 * blocks(); }
};

ControlFlow read_control_flow(const trace::TraceFile& file, const analysis::Progress& progress = {});

struct FlowForm {
  const char* name;
  uint64_t (*bytes)(const ControlFlow& flow, const BlockTable& blocks);
};
std::span<const FlowForm> control_forms();

// A thread's blocks as a nest: an item is (symbol, twice), or (count, twice, plus one), the number of items in the
// body, and the body. Items of the top level to the end.
void write_nest(std::span<const uint32_t> blocks, ByteWriter& to);
// The way back. False if it is no nest.
bool read_nest(std::span<const uint8_t> from, std::vector<uint32_t>& blocks);

}  // namespace cdr::compare

#endif
