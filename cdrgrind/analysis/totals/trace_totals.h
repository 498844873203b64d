// SPDX-License-Identifier: GPL-2.0-or-later
// What is in a trace, counted: events by kind, and what each thread executed. Reads every event once.
#ifndef CDRGRIND_ANALYSIS_TOTALS_TRACE_TOTALS_H
#define CDRGRIND_ANALYSIS_TOTALS_TRACE_TOTALS_H

#include <array>
#include <cstdint>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::analysis {

// The recorder's own wrappers are no part of the program: what they executed stands apart.
struct ThreadTotals {
  uint64_t events = 0;
  uint64_t blocks = 0;
  uint64_t instructions = 0;  // executed
  uint64_t wrapper_blocks = 0;
  uint64_t wrapper_instructions = 0;
  uint64_t words = 0;  // of base slots
  uint64_t loads = 0;  // that happened
  uint64_t stores = 0;
  uint64_t syncs = 0;  // synchronisation events, enter and leave
  // Of the instructions: the program's own, and those of libraries. The rest is the dynamic linker's.
  uint64_t program_instructions = 0, library_instructions = 0;

  ThreadTotals& operator+=(const ThreadTotals& t);
};

struct TraceTotals {
  uint64_t events = 0;
  std::array<uint64_t, kEventKindCount> kinds = {};
  std::vector<ThreadTotals> threads;  // by serial; entry 0 is not used

  ThreadTotals all() const;
};

// `libraries`: by module, what is not the program's.
TraceTotals count_trace(const trace::TraceFile& file, const std::vector<bool>& libraries);

}  // namespace cdr::analysis

#endif
