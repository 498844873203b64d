// SPDX-License-Identifier: GPL-2.0-or-later
// Puts the stages together: record buffer, drain, recording, dependence engine, trace file.
#ifndef CDRGRIND_TOOL_RECORDER_H
#define CDRGRIND_TOOL_RECORDER_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// Creates the file and everything else, before the client's first instruction. Ends the process with status
// 1 and a message if that fails.
void start_recorder();
// Writes out what was recorded so far; the recording goes on (before an exec).
void flush_recorder();
// The end: drains, writes dependences, index and totals, says where the trace is.
void finish_recorder(Int exit_code);
// In a forked child: this recording is the parent's.
void abandon_recorder();

}  // namespace cdr::tool

#endif
