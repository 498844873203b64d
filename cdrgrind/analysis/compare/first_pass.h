// SPDX-License-Identifier: GPL-2.0-or-later
// The first pass over a trace: what each thread executed, its whole program path as a grammar, the order of
// synchronisation operations, and which memory is shared.
#ifndef CDRGRIND_ANALYSIS_COMPARE_FIRST_PASS_H
#define CDRGRIND_ANALYSIS_COMPARE_FIRST_PASS_H

#include "cdrgrind/analysis/compare/comparison.h"
#include "cdrgrind/analysis/compare/shared_bytes.h"
#include "cdrgrind/base/event.h"

namespace cdr::compare {

struct FirstPass {
  std::vector<ThreadComparison> threads;          // all but dor, dor_counts, data, shared_accesses
  std::vector<std::vector<uint64_t>> executions;  // by thread, block: whole executions
  SyncOrder order;
  SharedBytes shared;  // sealed
  uint32_t restarts = 0;
};

FirstPass first_pass(const trace::TraceFile& file, const analysis::Progress& progress,
                     const ComparisonOptions& options);

// Terminals of both kinds of paths: operations, and behind them all else.
constexpr uint32_t kFirstOtherTerminal = kSyncOpCount;

// Bytes of synch_cnt on each symbol: as few whole bytes as hold `syncs`, at least 1.
uint64_t count_bytes(uint64_t symbols, uint64_t syncs);

}  // namespace cdr::compare

#endif
