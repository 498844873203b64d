// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/replay.h"

#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

TEST_CASE("SP and stack of each thread are followed") {
  const TraceFile file = open_bytes(small_program().bytes());
  Replay replay(file.blocks());
  Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (e.kind == EventKind::kBlock && e.block.value == kCallF) CHECK(replay.sp(e.thread) == kSp);
    if (e.kind == EventKind::kBlock && e.block.value == kF) CHECK(replay.sp(e.thread) == kSp - 8);
    if (e.kind == EventKind::kBlock && e.block.value == kHandler) CHECK(replay.sp(e.thread) == kSp - 0x400);
    if (e.kind == EventKind::kBlock && e.thread.value == 2) CHECK(replay.stack(e.thread) == StackId(2));
    if (e.kind == EventKind::kEnter) CHECK(replay.in_gap(e.thread));
    if (e.kind == EventKind::kBlock) CHECK_FALSE(replay.in_gap(e.thread));
    replay.apply(e);
  }
  CHECK(replay.thread_count() == 2);
  CHECK(replay.thread(ThreadId(2)).ended);
  CHECK(replay.stack_range(StackId(2)) == AddrRange{0x500000, 0x510000});
  CHECK_FALSE(replay.thread(ThreadId(3)).started);
}

TEST_CASE("the extent of a partial block ends before its instruction") {
  const SmallProgram p = small_program();
  const TraceFile file = open_bytes(p.bytes());
  const Event e = p.events[p.find(EventKind::kPartial, kF, 1)].view();
  const Extent extent = extent_of(e, file.blocks());
  CHECK(extent.insns == 2);
  CHECK(extent.accesses.size() == 2);
  CHECK(extent.sp_changes.empty());
  CHECK(sp_behind(e, file.blocks(), 100) == 100);
}
