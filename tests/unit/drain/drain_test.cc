// SPDX-License-Identifier: GPL-2.0-or-later
// Which events a drain makes of made-up records.
#include "cdrgrind/drain/drain.h"

#include "tests/unit/catch.h"
#include "tests/unit/drain/record_stream.h"

using namespace cdr;
using namespace cdr::test;

namespace {

using K = EventKind;
using Kinds = std::vector<EventKind>;

constexpr AddrRange kStack{0x700000, 0x800000};
constexpr uint64_t kMain = 0x7ff000;

RecordStream of_main() {
  RecordStream s;
  s.thread_start(1, kStack, kMain);
  return s;
}

}  // namespace

TEST_CASE("blocks have ids by first appearance, not by definition") {
  RecordStream s = of_main();
  const uint32_t a = s.define(plain_block(0x1000)), b = s.define(plain_block(0x2000));
  SuperblockParts two = plain_block(0x3000);
  two.exits.insert(two.exits.begin(), Exit{0x9000, 1, 0, 0, 0, ExitKind::kBranch, ExitGuard::kCondition, true});
  const uint32_t c = s.define(two);
  for (const uint32_t id : {b, b, c + 1, a, c, b, c + 1}) s.block(id);
  const Drained d(s);
  CHECK(d.block_ids() == std::vector<uint32_t>{1, 1, 2, 3, 4, 1, 2});
  CHECK(d.tables.blocks.superblock_count() == 3);
  CHECK(d.tables.blocks.superblock_of(BlockId(1)).addr == 0x2000);
  CHECK(d.tables.blocks.superblock_of(BlockId(3)).addr == 0x1000);
  CHECK(d.tables.blocks.block(BlockId(2)).superblock == d.tables.blocks.block(BlockId(4)).superblock);
  CHECK(d.tables.blocks.block(BlockId(2)).exit == 1);
  CHECK(d.tables.blocks.block(BlockId(4)).exit == 0);
}

TEST_CASE("what is not executed has no row in the tables") {
  RecordStream s = of_main();
  for (int i = 0; i < 5; ++i) s.define(plain_block(0x1000 + 16 * static_cast<uint64_t>(i)));
  CHECK(Drained(s).tables.blocks.superblock_count() == 0);
}

TEST_CASE("a block has the words of its record, be they many or of thousands of records") {
  RecordStream s = of_main();
  std::vector<std::vector<uint64_t>> expected;
  const uint16_t counts[] = {0, 1, 2, 254, 255, 256, 700};
  std::vector<uint32_t> ids;
  for (const uint16_t n : counts) ids.push_back(s.define(with_words(plain_block(0x1000 * (n + 1)), n)));
  for (uint64_t i = 0; i < 3000; ++i) {
    const size_t which = i % 7;
    std::vector<uint64_t> words;
    for (uint64_t w = 0; w < counts[which]; ++w) words.push_back(i << 16 | w);
    s.block(ids[which], words);
    expected.push_back(words);
  }
  const Drained d(s);
  REQUIRE(d.events.size() == expected.size() + 1);
  for (size_t i = 0; i < expected.size(); ++i) REQUIRE(d.events[i + 1].words == expected[i]);
}

TEST_CASE("a call opens a frame after its push, a return closes it") {
  RecordStream s = of_main();
  const uint32_t call = s.define(call_block(0x1000)), f = s.define(plain_block(0x2000)),
                 ret = s.define(return_block(0x2004));
  s.block(call).block(f).block(ret).block(f).block(ret);
  const Drained d(s);
  CHECK(d.kinds() ==
        Kinds{K::kThreadStart, K::kBlock, K::kCall, K::kBlock, K::kBlock, K::kReturn, K::kBlock, K::kBlock});
  CHECK(d.events[2].event.ip == 0x1004);
  CHECK(d.events[2].event.sp == kMain - 8);
  CHECK(d.events[5].event.sp == kMain);
}

TEST_CASE("a jump out of several frames pops them, a call at the same SP its dead predecessor") {
  RecordStream s = of_main();
  const uint32_t call = s.define(call_block(0x1000)), up = s.define(moving_block(0x1100, 8)),
                 load = s.define(loading_block(0x1200));
  s.block(call).block(call).block(call).block(load, {kMain - 8});  // back to the first frame's SP: it stays
  s.block(up).block(call).block(load, {kMain - 8}).block(load, {kMain - 24}).block(call);
  const Drained d(s);
  CHECK(d.kinds(7) ==
        Kinds{K::kBlock, K::kPop, K::kBlock, K::kPop, K::kBlock, K::kCall, K::kBlock, K::kBlock, K::kBlock, K::kCall});
  CHECK(d.events[8].event.count == 2);
  CHECK(d.events[10].event.count == 1);
}

TEST_CASE("a tail call takes the place of the frame at its SP") {
  RecordStream s = of_main();
  const uint32_t call = s.define(call_block(0x1000)), up = s.define(moving_block(0x1100, 8)),
                 ret = s.define(with_sp(straight(0x1300, 1, ExitKind::kReturn, 0), 40, SpChange::kSpAtEntry));
  s.block(call).block(call).block(up).block(call).block(call).block(ret);
  const Drained d(s);
  CHECK(d.kinds(5) ==
        Kinds{K::kBlock, K::kPop, K::kBlock, K::kCall, K::kBlock, K::kCall, K::kBlock, K::kPop, K::kReturn});
  CHECK(d.events[12].event.count == 2);
}

TEST_CASE("a turn is told when another thread runs, its SP when it is another than known") {
  RecordStream s = of_main();
  const uint32_t a = s.define(plain_block(0x1000));
  const AddrRange other{0x600000, 0x610000};
  s.special(RecordKind::kThreadCreate, 1, {2}).thread_start(2, other, 0x60f000, 1).block(a);
  s.special(RecordKind::kTurn, 1, {kMain}).block(a).special(RecordKind::kTurn, 1, {kMain}).block(a);
  s.special(RecordKind::kTurn, 2, {0x60e000}).block(a).special(RecordKind::kThreadEnd, 2);
  s.special(RecordKind::kTurn, 3, {0x500000}).special(RecordKind::kTurn, 0, {0x500000});  // nobody
  const Drained d(s);
  CHECK(d.kinds() == Kinds{K::kThreadStart, K::kThreadCreate, K::kTurn, K::kThreadStart, K::kBlock, K::kTurn, K::kBlock,
                           K::kBlock, K::kTurn, K::kStackPointer, K::kBlock, K::kThreadEnd});
  CHECK(d.events[0].event.value == 0x7001);
  CHECK(d.events[1].event.child == ThreadId(2));
  CHECK(d.events[3].event.thread == ThreadId(2));
  CHECK(d.events[3].event.child == ThreadId(1));
  CHECK(d.events[3].event.range == other);
  CHECK(d.events[3].event.stack == StackId(2));
  CHECK(d.events[7].event.thread == ThreadId(1));
  CHECK(d.events[9].event.sp == 0x60e000);
}

TEST_CASE("SP that leaves its stack for a heap block or a registered one switches to it and back") {
  RecordStream s = of_main();
  const uint32_t call = s.define(call_block(0x1000)), load = s.define(loading_block(0x1100)),
                 ret = s.define(return_block(0x1200));
  s.special(RecordKind::kAlloc, 1, {0x300000, 0x1000}).special(RecordKind::kStackRange, 0, {0x400000, 0x402000});
  s.block(call).block(load, {0x300f00}).block(call).block(load, {0x401000}).block(load, {kMain - 8}).block(ret);
  s.block(load, {0x300ef8}).block(ret);
  const Drained d(s);
  REQUIRE(d.kinds(2) == Kinds{K::kBlock, K::kCall, K::kBlock, K::kStackSwitch, K::kBlock, K::kCall, K::kBlock,
                              K::kStackSwitch, K::kBlock, K::kStackSwitch, K::kBlock, K::kReturn, K::kBlock,
                              K::kStackSwitch, K::kBlock, K::kReturn});
  const auto at = [&](size_t i) { return d.events[i + 2].event; };
  CHECK(at(3).range == AddrRange{0x300000, 0x301000});
  CHECK(at(3).stack == StackId(2));
  CHECK(at(3).sp == 0x300f00);
  CHECK(at(7).range == AddrRange{0x400000, 0x402000});
  CHECK(at(9).stack == StackId(1));
  CHECK(at(9).range == kStack);
  CHECK(at(13).stack == StackId(2));
}

TEST_CASE("a signal's frame is closed by its leave, with all above it") {
  RecordStream s = of_main();
  const uint32_t call = s.define(call_block(0x1000)), ret = s.define(return_block(0x1200));
  s.block(call).special(RecordKind::kSignalEnter, 1, {10, 0x1008, kMain - 0x400, 0, 0});
  s.block(ret);  // to the restorer: the frame stays
  s.block(call).special(RecordKind::kSignalLeave, 1, {kMain - 8, 0x1008}).block(ret);
  s.special(RecordKind::kSignalEnter, 1, {11, 0x100c, 0x20ff00, 0x200000, 0x210000});
  s.special(RecordKind::kSignalLeave, 1, {kMain, 0x100c});
  s.special(RecordKind::kSignalLeave, 1, {kMain - 64, 0x100c});  // of none
  const Drained d(s);
  REQUIRE(d.kinds(3) == Kinds{K::kSignalEnter, K::kBlock, K::kBlock, K::kCall, K::kPop, K::kSignalLeave, K::kBlock,
                              K::kReturn, K::kStackSwitch, K::kSignalEnter, K::kSignalLeave, K::kStackSwitch,
                              K::kStackPointer});
  const auto at = [&](size_t i) { return d.events[i + 3].event; };
  CHECK(at(0).count == 10);
  CHECK(at(0).ip == 0x1008);
  CHECK(at(0).sp == kMain - 0x400);
  CHECK(at(5).sp == kMain - 8);
  CHECK(at(8).range == AddrRange{0x200000, 0x210000});
  CHECK(at(9).count == 11);
  CHECK(at(11).stack == StackId(1));
  CHECK(at(12).sp == kMain - 64);
}

TEST_CASE("a fault in a block leaves what was completed of it") {
  RecordStream s = of_main();
  SuperblockParts p = with_words(straight(0x1000, 3, ExitKind::kReturn, 0), 3);
  for (uint16_t i = 0; i < 3; ++i) p.accesses[i].insn = i;
  p.sp_changes = {{-16, 1, SpChange::kSpAtEntry}, {8, 2, SpChange::kSpAtEntry}};
  p.exits[0].sp_changes = 2;
  const uint32_t a = s.define(p), call = s.define(call_block(0x2000));
  s.special(RecordKind::kPartial, 1, {a, 0x1008, 5, 6, 7}).block(call).special(RecordKind::kPartial, 1, {a, 0x1000});
  const Drained d(s);
  REQUIRE(d.kinds(1) == Kinds{K::kPartial, K::kBlock, K::kCall, K::kPartial});
  CHECK(d.events[1].event.ip == 0x1008);
  CHECK(d.events[1].words == std::vector<uint64_t>{5, 6});
  CHECK(d.events[3].event.sp == kMain - 24);
  CHECK(d.events[4].words.empty());
}

TEST_CASE("what the program does with memory, and its marks, are told with all that they say") {
  RecordStream s = of_main();
  s.special(RecordKind::kMap, 1, {0x100000, 0x102000, kMapRead | kMapWrite});
  s.special(RecordKind::kUnmap, 1, {0x101000, 0x102000}).special(RecordKind::kAlloc, 1, {64, 32});
  s.special(RecordKind::kResize, 1, {64, 32, 48}).special(RecordKind::kFree, 1, {64, 48});
  const uint32_t a = s.define(straight(0x1000, 2, ExitKind::kSyscall, 0));
  s.block(a).special(RecordKind::kSyscall, 1, {39, ~uint64_t{3}, 0x500, 16, 1, 0x600, 8, 0});
  s.text(RecordKind::kMark, 1, "phase two").special(RecordKind::kHideBegin, 1).special(RecordKind::kHideEnd, 1);
  const Drained d(s);
  REQUIRE(d.kinds(1) == Kinds{K::kMap, K::kUnmap, K::kAlloc, K::kResize, K::kFree, K::kBlock, K::kSyscall, K::kMark,
                              K::kHideBegin, K::kHideEnd});
  CHECK(d.events[1].event.range == AddrRange{0x100000, 0x102000});
  CHECK(d.events[1].event.value == (kMapRead | kMapWrite));
  CHECK(d.events[2].event.range == AddrRange{0x101000, 0x102000});
  CHECK((d.events[4].event.addr == 64 && d.events[4].event.size == 32 && d.events[4].event.value == 48));
  CHECK((d.events[5].event.addr == 64 && d.events[5].event.size == 48));
  const OwnedEvent& call = d.events[7];
  CHECK((call.event.value == 39 && call.event.result == -4 && call.event.ip == 0x1004));
  CHECK(call.memory == std::vector<MemorySpan>{{0x500, 16, true}, {0x600, 8, false}});
  CHECK(d.events[8].text == "phase two");
}

TEST_CASE("modules go into the table before their event") {
  RecordStream s = of_main();
  std::vector<uint64_t> payload = {0x400000, 0x401000, 16, 1, 2, 3, 4, 5, 6, kModulePreload, 77, 1};
  for (const char* text : {"/lib/a.so", "a.so.1", "id"}) drain::pack_text(text, payload);
  s.special(RecordKind::kModule, 0, payload).special(RecordKind::kModuleUnmapped, 1, {1});
  const Drained d(s);
  REQUIRE(d.kinds(1) == Kinds{K::kModuleMapped, K::kModuleUnmapped});
  CHECK(d.events[1].event.module == ModuleId(1));
  const Module& m = *d.tables.modules.begin();
  CHECK(m.text == AddrRange{0x400000, 0x401000});
  CHECK((m.bias == 16 && m.got == AddrRange{1, 2} && m.got_plt == AddrRange{3, 4} && m.plt == AddrRange{5, 6}));
  CHECK((m.flags == kModulePreload && m.file_bytes == 77));
  CHECK((m.path == "/lib/a.so" && m.soname == "a.so.1" && m.file_id == "id"));
}

TEST_CASE("operations whose frames a jump leaves are left behind the pop, innermost first") {
  RecordStream s = of_main();
  const uint32_t call = s.define(call_block(0x1000)), load = s.define(loading_block(0x1100));
  s.sync(RecordKind::kSyncEnter, 1, SyncOp::kMutexLock, 8).block(call);
  s.sync(RecordKind::kSyncEnter, 1, SyncOp::kOnce, 16, 9).block(call);
  s.sync(RecordKind::kSyncEnter, 1, SyncOp::kOnceRun, 24).block(load, {kMain});
  s.sync(RecordKind::kSyncLeave, 1, SyncOp::kMutexLock, 8).sync(RecordKind::kSyncEnter, 1, SyncOp::kThreadExit, 0);
  const Drained d(s);
  REQUIRE(d.kinds(1) == Kinds{K::kSyncEnter, K::kBlock, K::kCall, K::kSyncEnter, K::kBlock, K::kCall, K::kSyncEnter,
                              K::kBlock, K::kPop, K::kSyncLeave, K::kSyncLeave, K::kSyncLeave, K::kSyncEnter});
  CHECK(d.events[10].event.sync == Sync{SyncOp::kOnceRun, kSyncUnwound, 24, 0, 0, 0});
  CHECK(d.events[11].event.sync == Sync{SyncOp::kOnce, kSyncUnwound, 16, 0, 0, 0});
  CHECK(d.events[12].event.sync == Sync{SyncOp::kMutexLock, 0, 8, 0, 0, 0});
}

TEST_CASE("a league that no function of its own executes lasts as long as what it stands in, and so do its teams") {
  RecordStream s = of_main();
  const uint32_t call = s.define(call_block(0x1000)), ret = s.define(return_block(0x1200)),
                 load = s.define(loading_block(0x1100));
  s.block(call).sync(RecordKind::kSyncEnter, 1, SyncOp::kTask, 7).block(call);
  s.sync(RecordKind::kSyncEnter, 1, SyncOp::kParallel, 1, kLeague | 2);
  s.sync(RecordKind::kSyncEnter, 1, SyncOp::kImplicitTask, 1).block(ret).block(call);
  s.sync(RecordKind::kSyncLeave, 1, SyncOp::kImplicitTask, 1).sync(RecordKind::kSyncEnter, 1, SyncOp::kImplicitTask, 1);
  s.block(ret).block(load, {kMain});
  const Drained d(s);
  REQUIRE(d.kinds(1) == Kinds{K::kBlock,     K::kCall,      K::kSyncEnter, K::kBlock,     K::kCall,
                              K::kSyncEnter, K::kSyncEnter, K::kBlock,     K::kReturn,    K::kBlock,
                              K::kCall,      K::kSyncLeave, K::kSyncEnter, K::kBlock,     K::kReturn,
                              K::kBlock,     K::kPop,       K::kSyncLeave, K::kSyncLeave, K::kSyncLeave});
  const std::vector<SyncOp> left{SyncOp::kImplicitTask, SyncOp::kParallel, SyncOp::kTask};
  for (size_t i = 0; i < left.size(); ++i) {
    CHECK(d.events[18 + i].event.sync.op == left[i]);
    CHECK(d.events[18 + i].event.sync.flags == kSyncUnwound);
  }
}

TEST_CASE("records for the session come to it where they stand, and make no events") {
  struct Order final : RunSink, drain::RecordSink {
    std::vector<int> seen;
    void block(ThreadId, BlockId, std::span<const uint64_t>) override { seen.push_back(1); }
    void event(const Event&) override { seen.push_back(2); }
    void run(ThreadId, Steps run) override { seen.insert(seen.end(), run.size(), 1); }
    void record(RecordKind kind, std::span<const uint64_t> p) override {
      CHECK(kind == RecordKind::kFlush);
      CHECK(p.empty());
      seen.push_back(3);
    }
  } order;
  RecordStream s = of_main();
  const uint32_t a = s.define(plain_block(0x1000));
  s.block(a).block(a).special(RecordKind::kFlush, 0).block(a).special(RecordKind::kFlush, 0);
  Tables tables;
  DataflowTable flows;
  drain::Drain d(tables.modules, tables.blocks, flows, order, order);
  d.consume(s.words);
  CHECK(order.seen == std::vector<int>{2, 1, 1, 3, 1, 3});
}

TEST_CASE("of a killed process the last record does not count if it is a block") {
  RecordStream s = of_main();
  const uint32_t a = s.define(plain_block(0x1000));
  s.block(a).block(a).block(a);
  Drained d;
  d.drain.consume_last(s.words);
  CHECK(d.block_ids().size() == 2);
  s.special(RecordKind::kAlloc, 1, {64, 8});
  Drained whole;
  whole.drain.consume_last(s.words);
  CHECK(whole.block_ids().size() == 3);
  CHECK(whole.events.back().event.kind == K::kAlloc);
}
