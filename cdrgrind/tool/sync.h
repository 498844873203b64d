// SPDX-License-Identifier: GPL-2.0-or-later
// Synchronisation operations as the wrappers and the client header tell of them, as records. The regions in
// which a thread hides its own.
#ifndef CDRGRIND_TOOL_SYNC_H
#define CDRGRIND_TOOL_SYNC_H

#include "cdrgrind/base/event.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// The arguments of the requests in base/requests.h. Gives the operation under which it goes on.
UWord sync_enter(::ThreadId tid, const UWord* args);
void sync_leave(::ThreadId tid, const UWord* args);
void sync_unwound(::ThreadId tid, const UWord* args);

// HappensBefore and HappensAfter: enter and leave at once.
void sync_mark(::ThreadId tid, SyncOp op, Addr object);

// Regions nest; the outermost counts. An end without a beginning is nothing.
void hide_begin(::ThreadId tid);
void hide_end(::ThreadId tid);

}  // namespace cdr::tool

#endif
