// SPDX-License-Identifier: GPL-2.0-or-later
// Mappings and system calls: what the kernel does to the client's memory, as records.
#ifndef CDRGRIND_TOOL_MEMORY_H
#define CDRGRIND_TOOL_MEMORY_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

void register_memory_callbacks();

// What was mapped before the first thread started; called when it starts.
void record_startup_maps();
// In a forked child: those of the threads that are gone.
void forget_other_syscalls(::ThreadId tid);
// The system call by which a signal handler returns: its record comes before the frame is left.
void record_sigreturn(::ThreadId tid);

}  // namespace cdr::tool

#endif
