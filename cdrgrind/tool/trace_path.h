// SPDX-License-Identifier: GPL-2.0-or-later
// Where a process's trace goes. One process can have several traces one after the other, because exec starts
// a new program in it, and what its parent writes must stay.
#ifndef CDRGRIND_TOOL_TRACE_PATH_H
#define CDRGRIND_TOOL_TRACE_PATH_H

#include "cdrgrind/format/info.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// F as --cdr-out-file says; without %p, F.<pid> for a process that a recorded one has forked (`inherited`).
// Where F is a trace of this very process: F.1, F.2 …, the first that is none. The text is never freed.
const HChar* trace_path(const RunInfo& self, bool inherited);

// With --trace-children=yes Valgrind hands its options on to what the program executes. Two are added: the
// successor learns what it is, and that a relative F is seen from the folder of the first.
void tell_successors();

}  // namespace cdr::tool

#endif
