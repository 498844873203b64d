// SPDX-License-Identifier: GPL-2.0-or-later
// A place of a thread that was asked for on the command line: its m-th synchronisation event, its i-th block, the k-th
// execution of a source line. Found by descent in a compact trace, by reading in another.
#ifndef CDRGRIND_CLI_TRACE_POSITION_H
#define CDRGRIND_CLI_TRACE_POSITION_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/symbols/symbols.h"
#include "cdrgrind/trace/index/seeker.h"

namespace cdr::cli {

// One of the three; all count from 1.
struct PlaceRequest {
  uint64_t sync = 0;
  uint64_t block = 0;
  std::string file;  // FILE of FILE:LINE
  uint32_t line = 0;
  uint64_t execution = 1;
  bool segment = false;  // the end of its segment is wanted, too

  bool asked() const { return sync != 0 || block != 0 || line != 0; }
};

struct TracePlace {
  uint64_t index = 0;  // of its event
  uint64_t end = 0;    // if wanted: the thread's next synchronisation event, or behind its last event
  ThreadCounts before;
  uint64_t ip = 0;                       // where the thread is
  std::vector<trace::StackFrame> stack;  // innermost first
};

// Throws Failure where there is no such place. `seeker` is null for a trace that is not compact.
TracePlace find_place(const trace::TraceFile& file, trace::Seeker* seeker, const PlaceRequest& request, ThreadId thread,
                      symbols::Symbols& symbols);

// Lines that begin with #.
void write_place(const TracePlace& place, const trace::TraceFile& file, ThreadId thread, symbols::Symbols& symbols,
                 report::Output& out);

}  // namespace cdr::cli

#endif
