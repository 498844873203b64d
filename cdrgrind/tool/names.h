// SPDX-License-Identifier: GPL-2.0-or-later
// What the names of functions decide at translation time: function entries, hidden functions, toggles.
#ifndef CDRGRIND_TOOL_NAMES_H
#define CDRGRIND_TOOL_NAMES_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

struct FunctionFacts {
  bool entry = false;  // the address is that of a function
  bool hidden = false;
  bool toggle = false;
};

FunctionFacts function_facts(Addr addr);
// Whether the code of our preload there is of those functions whose accesses count (preload/exact_access.h).
bool accesses_exactly(Addr addr);

// Where the kernel would begin, and the dynamic linker jumps to: an entry, also of a program without symbols. Before
// the first instruction; `sp` points to argc.
void note_program_entry(Addr sp);

}  // namespace cdr::tool

#endif
