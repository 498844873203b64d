// SPDX-License-Identifier: GPL-2.0-or-later
// Where a process's trace goes. One process can have several traces one after the other, because exec starts
// a new program in it, and what its parent writes must stay.
#ifndef CDRGRIND_TOOL_TRACE_PATH_H
#define CDRGRIND_TOOL_TRACE_PATH_H

#include <cstdint>
#include <string_view>
#include <vector>

#include "cdrgrind/format/info.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// F, or F.<number> if that is not 0.
struct TraceName {
  const HChar* file = nullptr;
  uint32_t number = 0;
};
// With its end. The text of path_of is never freed.
std::vector<HChar> numbered_path(std::string_view file, uint32_t number);
const HChar* path_of(const TraceName& name);

// F as --cdr-out-file says; without %p, F.<pid> for a process that a recorded one has forked (`inherited`). Behind the
// traces of this very process among F, F.1, F.2 …
TraceName trace_name(const RunInfo& self, bool inherited);
// --cdr-out-file is a device, a FIFO or a socket. Then only the process that began has a trace: nothing is put beside
// it.
bool out_file_is_special();

// What the RUN frame of a file says. False if it is no trace.
bool read_run(const HChar* path, RunInfo& run);
// Written by this process, whatever program it was then.
bool is_trace_of(const HChar* path, const RunInfo& self);

// With --trace-children=yes Valgrind hands its options on to what the program executes. Two are added: the
// successor learns what it is, and that a relative F is seen from the folder of the first.
void tell_successors();

}  // namespace cdr::tool

#endif
