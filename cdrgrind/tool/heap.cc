// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/heap.h"

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/requests.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

constinit FlatMap<uint64_t, uint64_t> live;  // address → size

void record_free(::ThreadId tid, Addr block) {
  const uint64_t* size = live.find(block);
  if (!size) return;
  record_buffer.append(RecordKind::kFree, serial_of(tid), {block, *size});
  live.erase(block);
}

// A block that another thread gave back inside realloc may be handed out before that realloc returns: the
// allocation of a live address implies its release.
void record_alloc(::ThreadId tid, Addr block, SizeT size) {
  record_free(tid, block);
  record_buffer.append(RecordKind::kAlloc, serial_of(tid), {block, size});
  live[block] = size;
}

void record_realloc(::ThreadId tid, Addr block, Addr old_block, SizeT size) {
  uint64_t* old_size = live.find(old_block);
  if (block == old_block && old_size) {
    record_buffer.append(RecordKind::kResize, serial_of(tid), {block, *old_size, size});
    *old_size = size;
    return;
  }
  if (old_block && (block || size == 0)) record_free(tid, old_block);
  if (block) record_alloc(tid, block, size);
}

}  // namespace

void heap_enter(::ThreadId tid, UWord kind, Addr old_block) {
  if (thread_extra(tid).heap_depth++ == 0 && kind == CDR_HEAP_FREE) record_free(tid, old_block);
}

void heap_leave(::ThreadId tid, UWord kind, Addr block, Addr old_block, SizeT size) {
  int& depth = thread_extra(tid).heap_depth;
  if (depth > 0 && --depth > 0) return;
  if (kind == CDR_HEAP_ALLOC && block) record_alloc(tid, block, size);
  if (kind == CDR_HEAP_REALLOC) record_realloc(tid, block, old_block, size);
}

void heap_unwound(::ThreadId tid) {
  int& depth = thread_extra(tid).heap_depth;
  if (depth > 0) --depth;
}

}  // namespace cdr::tool
