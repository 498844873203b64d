// SPDX-License-Identifier: GPL-2.0-or-later
// Where a trace's dependences come from: its DEPEND frame, or its events, from which the same engine computes
// the same table.
#ifndef CDRGRIND_CLI_DEPENDENCE_SOURCE_H
#define CDRGRIND_CLI_DEPENDENCE_SOURCE_H

#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/depend/engine.h"
#include "cdrgrind/depend/result_table.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// Throws with status 3 if the trace has none.
depend::ResultTable recorded_dependences(const trace::TraceFile& file);

// That this process may use, at most 8.
unsigned processors();

// The option --jobs: 0, if it is not given, is as many threads as there are processors.
Option add_jobs(CommandLine& line, unsigned& jobs);

// With which an engine makes of the trace's events what the recorder's has made.
depend::Options engine_options(const trace::TraceFile& file);

// Throws with status 3 if the addresses were not recorded.
depend::ResultTable computed_dependences(const trace::TraceFile& file, unsigned jobs);

// The recorded ones if there are any. Those that were left by the recorder are kept in the file, if it is complete and
// can be written.
depend::ResultTable any_dependences(const trace::TraceFile& file, unsigned jobs);

}  // namespace cdr::cli

#endif
