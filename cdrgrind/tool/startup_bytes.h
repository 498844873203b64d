// SPDX-License-Identifier: GPL-2.0-or-later
// The sixteen random bytes that the kernel gives to every process (AT_RANDOM). They stand behind the last
// string of the environment, and ld.so, which reads LD_PRELOAD by fours, looks up to three of them up in a
// table: without a fixed value the addresses of one and the same run would differ from recording to recording.
#ifndef CDRGRIND_TOOL_STARTUP_BYTES_H
#define CDRGRIND_TOOL_STARTUP_BYTES_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// To be called before the first instruction; `sp` points to argc.
void fix_startup_bytes(Addr sp);

}  // namespace cdr::tool

#endif
