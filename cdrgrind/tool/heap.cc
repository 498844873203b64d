// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/heap.h"

#include <vector>

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

// A block that a thread has passed to realloc, which may have given it back already.
struct Resized {
  ::ThreadId tid = 0;
  Addr block = 0;
  uint64_t number = 0;
};

constinit FlatMap<uint64_t, Block> live;  // by address
constinit uint64_t last_number = 0;
constinit std::vector<Resized> resized;  // one of a thread

void record_free(::ThreadId tid, Addr block) {
  const Block* b = live.find(block);
  if (!b) return;
  record_buffer.append(RecordKind::kFree, serial_of(tid), {block, b->size});
  live.erase(block);
}

void note_resized(::ThreadId tid, Addr block) {
  std::erase_if(resized, [&](const Resized& r) { return r.tid == tid; });
  const Block* b = block ? live.find(block) : nullptr;
  thread_extra(tid).resized = b ? b->number : 0;
  if (b) resized.push_back({tid, block, b->number});
}

// Memory that another thread gave back inside realloc may be handed out before that realloc returns: that it is
// somebody's now implies its release.
void record_given_back(::ThreadId tid, Addr begin, Addr end) {
  for (const Resized& r : resized) {
    const Block* b = r.tid == tid ? nullptr : live.find(r.block);
    if (b && b->number == r.number && r.block < end && begin < r.block + b->size) record_free(tid, r.block);
  }
}

void record_alloc(::ThreadId tid, Addr block, SizeT size) {
  record_free(tid, block);
  record_given_back(tid, block, block + size);
  record_buffer.append(RecordKind::kAlloc, serial_of(tid), {block, size});
  live[block] = {size, ++last_number};
}

// Then the old address is the other thread's.
void record_realloc(::ThreadId tid, Addr block, Addr old_block, SizeT size) {
  const Block* old = live.find(old_block);
  const bool ours = old && old->number == thread_extra(tid).resized;
  if (block == old_block && ours) {
    record_given_back(tid, block, block + size);
    uint64_t& now = live[block].size;
    record_buffer.append(RecordKind::kResize, serial_of(tid), {block, now, size});
    now = size;
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
  note_resized(tid, kind == CDR_HEAP_REALLOC ? old_block : 0);
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
