// SPDX-License-Identifier: GPL-2.0-or-later
// The helper's side: a process of its own that runs a session on what the ring holds. The recorded process cannot see
// it: it is no child of it, in another process group, and tells nobody of its end.
//
// It ends with the stream, or when the recorded process is gone: then what was published is written, and what was
// recorded after it too.
#ifndef CDRGRIND_TOOL_HELPER_H
#define CDRGRIND_TOOL_HELPER_H

#include "cdrgrind/tool/file_output.h"
#include "cdrgrind/tool/ring.h"

namespace cdr::tool {

// How often a process that waits for the other one looks whether it is still there.
constexpr uint32_t kLookMilliseconds = 100;
constexpr const HChar* kHelperName = "cdrgrind-helper";

// Starts one, which gets the file and `socket`'s other end; both are closed here. False, and nothing has happened, if
// that cannot be.
bool start_helper(Ring& ring, FileOutput& file, Int& socket);

}  // namespace cdr::tool

#endif
