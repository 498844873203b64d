// SPDX-License-Identifier: GPL-2.0-or-later
// Goes through a trace and gives its basic blocks, thread by thread, to a consumer's block(thread, number). Where
// recording stops for a while, cut(thread) is called, or cut(none) when it stops for all threads; and cut(none) at
// the end, also where the part is ended. Signals do not cut: to a path a handler is code like any other.
#ifndef CDRGRIND_ANALYSIS_PATHS_BLOCK_READER_H
#define CDRGRIND_ANALYSIS_PATHS_BLOCK_READER_H

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/events/copy_follower.h"
#include "cdrgrind/analysis/events/part_counter.h"
#include "cdrgrind/analysis/events/program_part.h"
#include "cdrgrind/analysis/paths/basic_blocks.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::paths {

// Of one thread, or of all without one. With `part`, fresh, the program's blocks alone: what libraries execute for it
// goes to charged(thread, instructions), behind the block that called them; what neither does to
// left_out(instructions).
template <class Consumer>
void read_basic_blocks(const trace::TraceFile& file, ThreadId only, BasicBlocks& blocks, analysis::ProgramPart* part,
                       Consumer& consumer, analysis::WatchedPart& watched) {
  constexpr uint32_t kOfProcess = 0;
  analysis::PartCounter counter(consumer, only, part);
  analysis::CopyFollower follower(counter);
  trace::Cursor cursor(file, EventDecoder::Words::kExact, trace::EpochDecoder::Words::kNoneInCopies);
  for (Event e; cursor.next(e) && watched.goes_on(cursor.index());) {
    if (e.kind == EventKind::kNone) {
      follower.follow(cursor);
      continue;
    }
    const auto whose = part ? part->see(e) : analysis::Whose::kOwn;
    if (only && e.thread != only && e.kind != EventKind::kGapBegin) continue;
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      const uint32_t number = blocks.number_of(e);
      if (number == BasicBlocks::kShim) continue;
      if (whose == analysis::Whose::kOwn) {
        consumer.block(e.thread, number);
      } else if constexpr (requires { consumer.charged(e.thread, 0); }) {
        if (whose == analysis::Whose::kForProgram)
          consumer.charged(e.thread, blocks[number].insns);
        else
          consumer.left_out(blocks[number].insns);
      }
    } else if (e.kind == EventKind::kGapBegin) {
      consumer.cut(e.count == kOfProcess ? ThreadId() : e.thread);
    }
  }
  consumer.cut(ThreadId());
}

}  // namespace cdr::paths

#endif
