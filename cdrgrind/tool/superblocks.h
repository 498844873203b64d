// SPDX-License-Identifier: GPL-2.0-or-later
// The producer's side of the block table: gives record ids to superblocks, the same ones when a superblock is
// translated again, and records each definition once.
#ifndef CDRGRIND_TOOL_SUPERBLOCKS_H
#define CDRGRIND_TOOL_SUPERBLOCKS_H

#include <cstdint>

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// Valgrind's instrumentation callback.
IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout*, const VexGuestExtents* extents,
                 const VexArchInfo*, IRType, IRType);

// How many words an execution of the superblock of `record` can have written; -1 if `ip` is not in it.
int words_of_record(uint32_t record, Addr ip);

}  // namespace cdr::tool

#endif
