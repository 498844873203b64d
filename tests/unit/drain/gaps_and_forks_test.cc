// SPDX-License-Identifier: GPL-2.0-or-later
// What a drain tells where recording is off, and what a forked child's stream begins with (base/event.h).
#include "cdrgrind/drain/stream_start.h"
#include "tests/unit/catch.h"
#include "tests/unit/drain/record_stream.h"

using namespace cdr;
using namespace cdr::test;

namespace {

using K = EventKind;
using Kinds = std::vector<EventKind>;

constexpr AddrRange kStack{0x700000, 0x800000}, kOther{0x600000, 0x610000};
constexpr uint64_t kMain = 0x7ff000;

struct Code {
  uint32_t plain, call, f, ret, load;

  explicit Code(RecordStream& s, bool toggle = false)
      : plain(s.define(plain_block(0x1000))),
        call(s.define(call_block(0x1100))),
        f(s.define(plain_block(0x2000), toggle)),
        ret(s.define(return_block(0x2100))),
        load(s.define(loading_block(0x2200))) {}
};

RecordStream of_main() {
  RecordStream s;
  s.thread_start(1, kStack, kMain);
  return s;
}
RecordStream& collect(RecordStream& s, bool on, uint32_t thread = 1) {
  return s.special(RecordKind::kCollect, thread, {on});
}
uint64_t superblock_at(const Drained& d, size_t i) {
  return d.tables.blocks.superblock_of(d.events[i].event.block).addr;
}

}  // namespace

TEST_CASE("in a gap nothing is told of frames in which nothing happens") {
  RecordStream s = of_main();
  const Code c(s);
  s.block(c.plain);
  collect(s, false);
  for (int i = 0; i < 3; ++i) s.block(c.call).block(c.f).special(RecordKind::kSyscall, 1, {1, 0}).block(c.ret);
  s.special(RecordKind::kMap, 1, {0x1000, 0x2000, 0});
  collect(s, false);
  collect(s, true).block(c.plain);
  const Drained d(s);
  REQUIRE(d.kinds() == Kinds{K::kThreadStart, K::kBlock, K::kGapBegin, K::kSyscall, K::kSyscall, K::kSyscall, K::kMap,
                             K::kGapEnd, K::kBlock});
  CHECK(d.events[2].event.count == 0);
  CHECK(d.events[7].event.sp == kMain);
  CHECK(d.tables.blocks.block_count() == 1);
}

TEST_CASE("in a gap frames in which something happens are told, outermost first, with what names them") {
  RecordStream s = of_main();
  const Code c(s);
  s.block(c.plain);
  collect(s, false);
  s.block(c.call).block(c.f).block(c.call).block(c.ret);  // named and gone
  s.block(c.call).block(c.plain).special(RecordKind::kAlloc, 1, {64, 8}).block(c.ret).block(c.ret);
  collect(s, true);
  const Drained d(s);
  REQUIRE(d.kinds(2) ==
          Kinds{K::kGapBegin, K::kCall, K::kEnter, K::kCall, K::kEnter, K::kAlloc, K::kReturn, K::kReturn, K::kGapEnd});
  CHECK(d.events[3].event.sp == kMain - 8);
  CHECK(d.events[3].event.ip == 0x1104);
  CHECK(superblock_at(d, 4) == 0x2000);
  CHECK(d.events[5].event.sp == kMain - 16);
  CHECK(superblock_at(d, 6) == 0x1000);
}

TEST_CASE("in a gap, too, the entry of a function that was jumped to renames the frame") {
  for (const bool jumps : {false, true}) {
    RecordStream s = of_main();
    const Code c(s);
    SuperblockParts entry = plain_block(0x3000);
    entry.sb.flags = kBlockFunctionEntry;
    const uint32_t g = s.define(entry), jump = s.define(straight(0x3100, 1, ExitKind::kIndirectJump, 0));
    s.block(c.plain);
    collect(s, false);
    s.block(c.call).block(c.f).block(jumps ? jump : c.plain).block(g).special(RecordKind::kAlloc, 1, {64, 8});
    const Drained d(s);
    REQUIRE(d.kinds(2) == Kinds{K::kGapBegin, K::kCall, K::kEnter, K::kAlloc});
    CHECK(superblock_at(d, 4) == (jumps ? 0x3000 : 0x2000));
  }
}

TEST_CASE("frames that a gap hid and that outlive it are told at its end") {
  RecordStream s = of_main();
  const Code c(s);
  s.block(c.plain);
  collect(s, false);
  s.block(c.call).block(c.f);
  collect(s, true).block(c.ret);
  const Drained d(s);
  CHECK(d.kinds(2) == Kinds{K::kGapBegin, K::kCall, K::kEnter, K::kGapEnd, K::kBlock, K::kReturn});
}

TEST_CASE("of frames that a jump leaves only those are popped that were told") {
  RecordStream s = of_main();
  const Code c(s);
  s.block(c.call).block(c.f);
  collect(s, false);
  s.block(c.call).block(c.f).block(c.call).block(c.load, {kMain});
  collect(s, true);
  const Drained d(s);
  REQUIRE(d.kinds(3) == Kinds{K::kBlock, K::kGapBegin, K::kPop, K::kGapEnd});
  CHECK(d.events[5].event.count == 1);
}

TEST_CASE("after a gap other threads tell their SP when they run again, once") {
  RecordStream s = of_main();
  const Code c(s);
  s.block(c.plain).thread_start(2, kOther, 0x60f000, 1);
  collect(s, false, 2).block(c.plain).special(RecordKind::kTurn, 1, {kMain}).block(c.load, {kMain - 64});
  collect(s, true, 2).block(c.plain);
  for (int i = 0; i < 2; ++i) {
    s.special(RecordKind::kTurn, 1, {kMain - 64}).block(c.plain);
    s.special(RecordKind::kTurn, 2, {0x60f000}).block(c.plain);
  }
  const Drained d(s);
  REQUIRE(d.kinds(2) == Kinds{K::kTurn, K::kThreadStart, K::kGapBegin, K::kEnter, K::kTurn, K::kTurn, K::kGapEnd,
                              K::kBlock, K::kTurn, K::kStackPointer, K::kBlock, K::kTurn, K::kBlock, K::kTurn,
                              K::kBlock, K::kTurn, K::kBlock});
}

TEST_CASE("with toggles a thread is recorded inside of the functions asked for only") {
  RecordStream s = of_main();
  const Code c(s, true);
  s.block(c.plain).block(c.call).block(c.f).block(c.plain).block(c.call).block(c.plain).block(c.ret).block(c.ret);
  s.block(c.plain);
  drain::DrainOptions options;
  options.toggles = true;
  const Drained d(s, options);
  REQUIRE(d.kinds() == Kinds{K::kThreadStart, K::kGapBegin, K::kEnter, K::kCall, K::kGapEnd, K::kBlock, K::kBlock,
                             K::kBlock, K::kCall, K::kBlock, K::kBlock, K::kReturn, K::kBlock, K::kReturn,
                             K::kGapBegin});
  CHECK(d.events[1].event.count == 1);
  CHECK(d.events[4].event.count == 1);
}

TEST_CASE("recording that is off at the start begins with a gap") {
  RecordStream s = of_main();
  const Code c(s);
  s.block(c.plain);
  collect(s, true).block(c.plain);
  drain::DrainOptions options;
  options.collect_at_start = false;
  CHECK(Drained(s, options).kinds() == Kinds{K::kThreadStart, K::kGapBegin, K::kEnter, K::kGapEnd, K::kBlock});
}

namespace {

std::vector<uint64_t> fork_payload(uint32_t serial) {
  std::vector<uint64_t> payload = {serial, 0x7777};
  drain::pack_process({}, payload);
  return payload;
}

}  // namespace

TEST_CASE("a forked child begins with what it inherits, and numbers blocks anew") {
  RecordStream s = of_main();
  const Code c(s);
  std::vector<uint64_t> module = {0x400000, 0x401000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 3; ++i) drain::pack_text("a", module);
  s.special(RecordKind::kModule, 0, module).special(RecordKind::kModule, 0, module);
  s.special(RecordKind::kModuleUnmapped, 1, {1});
  s.special(RecordKind::kMap, 1, {0x200000, 0x204000, kMapRead}).special(RecordKind::kMap, 1, {0x100000, 0x104000, 0});
  s.special(RecordKind::kUnmap, 1, {0x201000, 0x202000});
  s.special(RecordKind::kAlloc, 1, {96, 8})
      .special(RecordKind::kAlloc, 1, {64, 8})
      .special(RecordKind::kAlloc, 1, {32, 8});
  s.special(RecordKind::kFree, 1, {64, 8});
  s.block(c.plain).thread_start(2, kOther, 0x60f000, 1).block(c.call).block(c.f);
  s.sync(RecordKind::kSyncEnter, 2, SyncOp::kMutexLock, 8).block(c.call).special(RecordKind::kHideBegin, 2);
  s.special(RecordKind::kForked, 2, fork_payload(2)).special(RecordKind::kSyscall, 1, {57, 0}).block(c.ret);
  s.block(c.ret).block(c.f);
  const Drained d(s);
  REQUIRE(d.records.size() == 1);
  CHECK(d.records[0].second[1] == 0x7777);
  REQUIRE(d.kinds() == Kinds{K::kThreadStart, K::kGapBegin, K::kModuleMapped, K::kModuleUnmapped, K::kModuleMapped,
                             K::kMap,         K::kMap,      K::kMap,          K::kAlloc,          K::kAlloc,
                             K::kEnter,       K::kCall,     K::kEnter,        K::kSyncEnter,      K::kCall,
                             K::kHideBegin,   K::kGapEnd,   K::kSyscall,      K::kBlock,          K::kReturn,
                             K::kBlock,       K::kReturn,   K::kSyncLeave,    K::kBlock});
  for (const OwnedEvent& e : d.events) CHECK(e.event.thread == ThreadId(1));
  const auto at = [&](size_t i) -> const Event& { return d.events[i].event; };
  CHECK(at(0).stack == StackId(1));
  CHECK(at(0).range == kOther);
  CHECK(at(0).child == ThreadId());
  CHECK(at(0).value == 0x7777);
  CHECK(at(0).sp == 0x60f000 - 16);
  CHECK(at(5).range == AddrRange{0x100000, 0x104000});
  CHECK(at(6).range == AddrRange{0x200000, 0x201000});
  CHECK(at(7).range == AddrRange{0x202000, 0x204000});
  CHECK(at(7).value == kMapRead);
  CHECK((at(8).addr == 32 && at(9).addr == 96));
  CHECK(superblock_at(d, 10) == 0x1100);
  CHECK(at(11).sp == 0x60f000 - 8);
  CHECK(superblock_at(d, 12) == 0x2000);
  CHECK(at(13).sync.op == SyncOp::kMutexLock);
  CHECK(at(16).sp == 0x60f000 - 16);
  CHECK(at(22).sync.flags == kSyncUnwound);
  CHECK(d.block_ids() == std::vector<uint32_t>{3, 3, 2});
}

TEST_CASE("a child forked in a gap, on a stack of its own, goes on there and in the gap") {
  RecordStream s = of_main();
  const Code c(s);
  s.special(RecordKind::kAlloc, 1, {0x300000, 0x1000}).block(c.call).block(c.f);
  collect(s, false);
  s.block(c.load, {0x300f00}).block(c.call);
  s.special(RecordKind::kForked, 1, fork_payload(1)).block(c.plain);
  collect(s, true).block(c.plain).block(c.load, {kMain - 8}).block(c.ret);
  const Drained d(s);
  REQUIRE(d.kinds() == Kinds{K::kThreadStart, K::kGapBegin, K::kAlloc, K::kEnter, K::kCall, K::kEnter, K::kStackSwitch,
                             K::kEnter, K::kCall, K::kEnter, K::kGapEnd, K::kBlock, K::kBlock, K::kStackSwitch,
                             K::kBlock, K::kReturn});
  CHECK(d.events[6].event.stack == StackId(2));
  CHECK(d.events[6].event.range == AddrRange{0x300000, 0x301000});
  CHECK(d.events[10].event.sp == 0x300ef8);
  CHECK(d.events[13].event.stack == StackId(1));
}
