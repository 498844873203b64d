// SPDX-License-Identifier: GPL-2.0-or-later
// Goes through a trace and gives its basic blocks, thread by thread, to a consumer's block(thread, number). Where
// recording stops for a while, cut(thread) is called, or cut(none) when it stops for all threads; and cut(none) at
// the end, also where the part is ended. Signals do not cut: to a path a handler is code like any other.
#ifndef CDRGRIND_ANALYSIS_PATHS_BLOCK_READER_H
#define CDRGRIND_ANALYSIS_PATHS_BLOCK_READER_H

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/events/program_part.h"
#include "cdrgrind/analysis/paths/basic_blocks.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::paths {

// Of one that takes a block that repeats itself at once: block(thread, number, times).
template <class Consumer>
void give_block(Consumer& consumer, ThreadId thread, uint32_t number, uint64_t times) {
  if constexpr (requires { consumer.block(thread, number, times); }) {
    consumer.block(thread, number, times);
  } else {
    for (; times > 0; --times) consumer.block(thread, number);
  }
}

// How often the event, if it is a block, comes: these times are passed over.
inline uint64_t times_of(const Event& e, trace::Cursor& cursor) {
  if (e.kind != EventKind::kBlock) return 1;
  const uint64_t more = cursor.repeats();
  cursor.pass(more);
  return more + 1;
}

// Of one thread, or of all without one.
template <class Consumer>
void read_basic_blocks(const trace::TraceFile& file, ThreadId only, BasicBlocks& blocks, Consumer& consumer,
                       analysis::WatchedPart& watched) {
  constexpr uint32_t kOfProcess = 0;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && watched.goes_on(cursor.index());) {
    if (only && e.thread != only && e.kind != EventKind::kGapBegin) continue;
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      const uint32_t number = blocks.number_of(e);
      const uint64_t times = times_of(e, cursor);
      if (number != BasicBlocks::kShim) give_block(consumer, e.thread, number, times);
    } else if (e.kind == EventKind::kGapBegin) {
      consumer.cut(e.count == kOfProcess ? ThreadId() : e.thread);
    }
  }
  consumer.cut(ThreadId());
}

// The program's blocks alone. What libraries execute for it goes to charged(thread, instructions), behind the block
// that called them; what neither does to left_out(instructions). `part`: fresh.
template <class Consumer>
void read_program_blocks(const trace::TraceFile& file, ThreadId only, BasicBlocks& blocks, analysis::ProgramPart& part,
                         Consumer& consumer, analysis::WatchedPart& watched) {
  constexpr uint32_t kOfProcess = 0;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e) && watched.goes_on(cursor.index());) {
    const analysis::Whose whose = part.see(e);
    if (only && e.thread != only && e.kind != EventKind::kGapBegin) continue;
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      const uint32_t number = blocks.number_of(e);
      const uint64_t times = times_of(e, cursor);
      if (number == BasicBlocks::kShim) continue;
      const uint64_t insns = blocks[number].insns * times;
      if (whose == analysis::Whose::kOwn)
        give_block(consumer, e.thread, number, times);
      else if (whose == analysis::Whose::kForProgram)
        consumer.charged(e.thread, insns);
      else
        consumer.left_out(insns);
    } else if (e.kind == EventKind::kGapBegin) {
      consumer.cut(e.count == kOfProcess ? ThreadId() : e.thread);
    }
  }
  consumer.cut(ThreadId());
}

}  // namespace cdr::paths

#endif
