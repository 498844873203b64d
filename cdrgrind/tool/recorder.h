// SPDX-License-Identifier: GPL-2.0-or-later
// Puts the stages together: record buffer, and the session in this process or in a helper.
#ifndef CDRGRIND_TOOL_RECORDER_H
#define CDRGRIND_TOOL_RECORDER_H

#include <string_view>

#include "cdrgrind/drain/session.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// Creates the file and everything else, before the client's first instruction. Ends the process with status
// 1 and a message if that fails.
void start_recorder();
// Writes out what was recorded so far; the recording goes on.
void flush_recorder();
// The end: drains, writes dependences, index and totals, says where the trace is. `how`: "exit 3", "signal 11".
void finish_recorder(std::string_view how);

// The parent's records belong to the parent: they are drained before the fork.
void before_fork(::ThreadId tid);
void after_fork_in_parent(::ThreadId tid);
// In the child: a trace of its own, which begins with what the child inherits. Its file is created when it has
// executed 10,000 blocks, or at its end; so a child that execs at once leaves none, and costs little.
void after_fork_in_child(::ThreadId tid);

// Writes out everything, and that the program may end here.
void before_exec(std::string_view path);
void exec_failed(UWord error);

// For those who ask while the program runs. `file` is null as long as there is none.
struct RecorderState {
  const HChar* file = nullptr;
  drain::SessionStatus session;
};
// False if this process is not recorded.
bool recorder_state(RecorderState& state);

}  // namespace cdr::tool

#endif
