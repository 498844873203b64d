// SPDX-License-Identifier: GPL-2.0-or-later
// How the process ends. Valgrind tells a tool that it does (fini), but neither status nor signal; it then calls
// one of two functions of its own with just that, so the linker leads these calls here (--wrap).
#ifndef CDRGRIND_TOOL_ENDING_H
#define CDRGRIND_TOOL_ENDING_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// Valgrind's fini callback: what is still under way is settled.
void program_ended(Int);

}  // namespace cdr::tool

#endif
