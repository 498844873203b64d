// SPDX-License-Identifier: GPL-2.0-or-later
// Commands to a running program, through vgdb or gdb's `monitor`: status, flush, instrumentation, mark, help.
#ifndef CDRGRIND_TOOL_MONITOR_H
#define CDRGRIND_TOOL_MONITOR_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// False if the command is none of ours.
bool handle_monitor_command(const HChar* line);

}  // namespace cdr::tool

#endif
