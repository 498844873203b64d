// SPDX-License-Identifier: GPL-2.0-or-later
// The helpers' side: processes of their own that consume what the ring holds. The first one runs the session, which
// writes the trace; the others, if there are any, compute dependences, each a part of them. The recorded process cannot
// see them: they are no children of it, in other process groups, and tell nobody of their end.
//
// They end with the stream, or when the recorded process is gone: then what was published is written, and what was
// recorded after it too.
#ifndef CDRGRIND_TOOL_HELPER_H
#define CDRGRIND_TOOL_HELPER_H

#include <span>

#include "cdrgrind/tool/file_output.h"
#include "cdrgrind/tool/ring.h"

namespace cdr::tool {

// Starts the ring's helpers, of which the first gets the file, and each the other end of one of the sockets; the file
// is closed here. False, and nothing has happened, if that cannot be.
bool start_helpers(Ring& ring, FileOutput& file, std::span<Int> sockets);

}  // namespace cdr::tool

#endif
