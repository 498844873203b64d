// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/heap.h"

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/requests.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/thread_switch.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

struct Block {
  uint64_t size = 0;
  uint64_t number = 0;  // of its allocation, from 1
};

constinit FlatMap<uint64_t, Block> live;  // by address
constinit uint64_t last_number = 0;

void record_free(::ThreadId tid, Addr block) {
  const Block* b = live.find(block);
  if (!b) return;
  record_buffer.append(RecordKind::kFree, serial_of(tid), {block, b->size});
  live.erase(block);
}

// A block that another thread gave back inside realloc may be handed out before that realloc returns: the
// allocation of a live address implies its release.
void record_alloc(::ThreadId tid, Addr block, SizeT size) {
  record_free(tid, block);
  record_buffer.append(RecordKind::kAlloc, serial_of(tid), {block, size});
  live[block] = {size, ++last_number};
}

// Then the old address is the other thread's.
void record_realloc(::ThreadId tid, Addr block, Addr old_block, SizeT size) {
  Block* old = live.find(old_block);
  const bool ours = old && old->number == thread_extra(tid).resized;
  if (block == old_block && ours) {
    record_buffer.append(RecordKind::kResize, serial_of(tid), {block, old->size, size});
    old->size = size;
    return;
  }
  if (ours && (block || size == 0)) record_free(tid, old_block);
  if (block) record_alloc(tid, block, size);
}

// The outermost wrapper has been left by a jump when a later one stands as high on the stack.
void settle_depth(ThreadExtra& extra, Addr sp) {
  if (extra.heap_depth > 0 && sp >= extra.heap_sp) extra.heap_depth = 0;
}

}  // namespace

void heap_enter(::ThreadId tid, UWord kind, Addr old_block) {
  const Addr sp = VG_(get_SP)(tid);
  ThreadExtra& extra = thread_extra(tid);
  settle_depth(extra, sp);
  if (extra.heap_depth++ > 0) return;
  extra.heap_sp = sp;
  const Block* old = live.find(old_block);
  extra.resized = kind == CDR_HEAP_REALLOC && old ? old->number : 0;
  if (kind == CDR_HEAP_FREE) record_free(tid, old_block);
  test_switch(tid, SwitchAt::kEnter);
}

void heap_leave(::ThreadId tid, UWord kind, Addr block, Addr old_block, SizeT size) {
  int& depth = thread_extra(tid).heap_depth;
  if (depth > 0 && --depth > 0) return;
  test_switch(tid, SwitchAt::kLeave);
  if (kind == CDR_HEAP_ALLOC && block) record_alloc(tid, block, size);
  if (kind == CDR_HEAP_REALLOC) record_realloc(tid, block, old_block, size);
}

void heap_unwound(::ThreadId tid) {
  int& depth = thread_extra(tid).heap_depth;
  if (depth > 0) --depth;
}

}  // namespace cdr::tool
