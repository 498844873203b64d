// SPDX-License-Identifier: GPL-2.0-or-later
// The heap as the program sees it: live blocks, from the outermost allocator call of each thread. A block
// begins when its allocation returns and ends when free is entered.
#ifndef CDRGRIND_TOOL_HEAP_H
#define CDRGRIND_TOOL_HEAP_H

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// `kind` is CDR_HEAP_*; `old_block` 0 for a plain allocation.
void heap_enter(::ThreadId tid, UWord kind, Addr old_block);
void heap_leave(::ThreadId tid, UWord kind, Addr block, Addr old_block, SizeT size);
void heap_unwound(::ThreadId tid);

}  // namespace cdr::tool

#endif
