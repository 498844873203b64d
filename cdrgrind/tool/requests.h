// SPDX-License-Identifier: GPL-2.0-or-later
// Client requests: of the preload (synchronisation operations and the heap), of the user, of gdb.
#ifndef CDRGRIND_TOOL_REQUESTS_H
#define CDRGRIND_TOOL_REQUESTS_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// For VG_(needs_client_requests).
Bool handle_request(::ThreadId tid, UWord* args, UWord* result);

}  // namespace cdr::tool

// For generated code: handles the request of the running thread if it is one of ours, and says whether it is not.
extern "C" ULong cdr_request_from_code(VexGuestAMD64State* guest);

#endif
