// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/trace/small_program.h"

#include <algorithm>

#include "cdrgrind/base/dataflow_builder.h"

namespace cdr::test {
namespace {

constexpr uint64_t kFAddr = kText + 0x100, kGAddr = kText + 0x200, kHandlerAddr = kText + 0x300;

void add_call(SmallProgram& p, uint64_t addr, uint64_t target) {
  SuperblockParts s = straight(addr, 2, ExitKind::kCall, target);
  s.accesses = {{-8, 1, 1, 8, kAccessStore | kAccessLinkage}};
  s.sp_changes = {{-8, 1, SpChange::kSpAtEntry}};
  s.exits[0].accesses = s.exits[0].words = s.exits[0].sp_changes = 1;
  p.superblocks.push_back(s);
}

// A load of an absolute address, a guarded store, a return.
void add_f(SmallProgram& p) {
  SuperblockParts s = straight(kFAddr, 3, ExitKind::kReturn, 0);
  s.sb.flags = kBlockFunctionEntry;
  s.accesses = {{0x601000, 0, 0, 8, 0}, {0, 1, 1, 4, kAccessStore | kAccessGuarded}, {0, 2, 2, 8, kAccessLinkage}};
  s.sp_changes = {{8, 2, SpChange::kSpAtEntry}};
  s.exits[0].accesses = 3;
  s.exits[0].words = 2;
  s.exits[0].sp_changes = 1;
  p.superblocks.push_back(s);
}

// Two exits: back to its start, and on.
void add_loop(SmallProgram& p, uint64_t addr, uint64_t out) {
  SuperblockParts s = straight(addr, 2, ExitKind::kFallThrough, out);
  s.accesses = {{0, 0, 1, 8, 0}, {64, 0, 1, 8, kAccessStore}};
  Exit back = s.exits[0];
  back.target = addr;
  back.kind = ExitKind::kBranch;
  back.guard = ExitGuard::kCondition;
  back.accesses = 2;
  back.words = 1;
  s.exits[0].accesses = 2;
  s.exits[0].words = 1;
  s.exits.insert(s.exits.begin(), back);
  p.superblocks.push_back(s);
}

void add_ret(SmallProgram& p, uint64_t addr) {
  SuperblockParts s = straight(addr, 1, ExitKind::kReturn, 0);
  s.sp_changes = {{8, 0, SpChange::kSpAtEntry}};
  s.exits[0].sp_changes = 1;
  p.superblocks.push_back(s);
}

void add_tables(SmallProgram& p) {
  p.module.path = "/bin/small";
  p.module.text = {kText, kText + 0x1000};
  p.module.got = {0x600000, 0x600100};
  const auto plain = [&](uint64_t addr, ExitKind kind) { p.superblocks.push_back(straight(addr, 1, kind, addr + 4)); };
  // The number behind each is the superblock's.
  add_call(p, kText, kFAddr);                  // 1
  add_f(p);                                    // 2
  plain(kText + 8, ExitKind::kClientRequest);  // 3
  plain(kText + 12, ExitKind::kSyscall);       // 4
  add_loop(p, kText + 16, kText + 24);         // 5
  add_ret(p, kHandlerAddr);                    // 6
  plain(kText + 40, ExitKind::kFallThrough);   // 7
  add_call(p, kText + 44, kGAddr);             // 8
  add_ret(p, kGAddr);                          // 9
  // In the order of SmallBlock.
  for (const uint32_t sb : {1, 2, 3, 4, 5, 6}) p.blocks.push_back({SuperblockId(sb), 0});
  p.blocks.push_back({SuperblockId(5), 1});
  for (const uint32_t sb : {7, 8, 9}) p.blocks.push_back({SuperblockId(sb), 0});
}

Event thread_start(uint32_t thread, uint32_t creator, uint32_t stack, AddrRange range, uint64_t sp) {
  Event e = event_of(EventKind::kThreadStart, thread);
  e.child = ThreadId(creator);
  e.stack = StackId(stack);
  e.range = range;
  e.sp = sp;
  e.value = 0x7000 + thread;
  return e;
}

Event with_sp(EventKind kind, uint32_t thread, uint64_t sp, uint64_t ip = 0) {
  Event e = event_of(kind, thread);
  e.sp = sp;
  e.ip = ip;
  return e;
}

Event heap(EventKind kind, uint64_t addr, uint64_t size, uint64_t value = 0) {
  Event e = event_of(kind, 1);
  e.addr = addr;
  e.size = size;
  e.value = value;
  return e;
}

Event sync(EventKind kind, SyncOp op) {
  Event e = event_of(kind, 1);
  e.sync.op = op;
  e.sync.object = 0x601040;
  return e;
}

Event with_count(EventKind kind, uint32_t thread, uint32_t count) {
  Event e = event_of(kind, thread);
  e.count = count;
  return e;
}

struct Story {
  SmallProgram& p;
  void add(const Event& e) { p.events.emplace_back(e); }
  void block(uint32_t thread, uint32_t block, std::initializer_list<uint64_t> words = {}) {
    add(block_of(thread, block, {words.begin(), words.size()}));
  }

  void begin() {
    add(thread_start(1, 0, 1, {kStackEnd - 0x10000, kStackEnd}, kSp));
    Event m = event_of(EventKind::kModuleMapped, 1);
    m.module = ModuleId(1);
    add(m);
    Event map = event_of(EventKind::kMap, 1);
    map.range = {0x10000, 0x20000};
    map.value = kMapRead | kMapWrite;
    add(map);
  }
  void call_and_return() {
    block(1, kCallF, {kSp});
    add(with_sp(EventKind::kCall, 1, kSp - 8, kText + 4));
    block(1, kF, {0, kSp - 8});
    add(with_sp(EventKind::kReturn, 1, kSp));
  }
  void heap_and_lock() {
    block(1, kLock);
    add(heap(EventKind::kAlloc, 0x10000, 32));
    add(heap(EventKind::kResize, 0x10000, 32, 64));
    add(sync(EventKind::kSyncEnter, SyncOp::kMutexLock));
    add(sync(EventKind::kSyncLeave, SyncOp::kMutexLock));
    add(heap(EventKind::kFree, 0x10000, 64));
    block(1, kSyscallBlock);
    Event e = event_of(EventKind::kSyscall, 1);
    e.value = 1;
    e.ip = kText + 12;
    e.result = -11;
    p.events.emplace_back(e);
    p.events.back().memory = {{0x10008, 16, true}, {0x11000, 8, false}};
  }
  void signal_in_loop() {
    block(1, kLoopAgain, {0x602000});
    block(1, kLoopAgain, {0x602008});
    add(with_sp(EventKind::kSignalEnter, 1, kSp - 0x400, kText + 16));
    p.events.back().event.count = 10;
    block(1, kHandler);
    add(with_sp(EventKind::kSignalLeave, 1, kSp, kText + 16));
    block(1, kLoopOut, {0x602010});
  }
  void second_thread() {
    Event create = event_of(EventKind::kThreadCreate, 1);
    create.child = ThreadId(2);
    add(create);
    add(event_of(EventKind::kTurn, 2));
    add(thread_start(2, 1, 2, {0x500000, 0x510000}, 0x50f000));
    block(2, kThreadBody);
    block(2, kCallG, {0x50f000});
    add(with_sp(EventKind::kCall, 2, 0x50eff8, kText + 48));
    block(2, kG);
    add(with_sp(EventKind::kReturn, 2, 0x50f000));
    add(event_of(EventKind::kThreadEnd, 2));
  }
  void gap_and_end() {
    add(event_of(EventKind::kTurn, 1));
    add(with_count(EventKind::kGapBegin, 1, 0));
    add(with_sp(EventKind::kCall, 1, kSp - 0x18, kText + 4));
    Event enter = event_of(EventKind::kEnter, 1);
    enter.block = BlockId(kF);
    add(enter);
    add(with_sp(EventKind::kReturn, 1, kSp - 0x10));
    add(with_sp(EventKind::kGapEnd, 1, kSp));
    block(1, kCallF, {kSp});
    add(with_sp(EventKind::kCall, 1, kSp - 8, kText + 4));
    Event partial = event_of(EventKind::kPartial, 1);
    partial.block = BlockId(kF);
    partial.ip = kFAddr + 4;
    add(partial);
    partial.ip = kFAddr + 8;
    const uint64_t word = 0x10000;
    partial.words = {&word, 1};
    add(partial);
    Event mark = event_of(EventKind::kMark, 1);
    mark.text = "end";
    add(mark);
    add(event_of(EventKind::kThreadEnd, 1));
  }
};

}  // namespace

SmallProgram small_program() {
  SmallProgram p;
  add_tables(p);
  Story story{p};
  story.begin();
  story.call_and_return();
  story.heap_and_lock();
  story.signal_in_loop();
  story.second_thread();
  story.gap_and_end();
  return p;
}

DataflowTable SmallProgram::flows() const {
  DataflowTable table;
  for (const SuperblockParts& parts : superblocks) {
    if (table.size() == flow_count) break;
    DataflowBuilder b;
    for (uint16_t w = parts.exits.empty() ? 0 : parts.exits.back().words; w > 0; --w) b.slot(b.read(kStateRbx, 8));
    size_t told = 0;
    for (const Exit& e : parts.exits) {
      for (; told < std::min<size_t>(e.accesses, parts.accesses.size()); ++told) {
        const auto a = static_cast<uint16_t>(told);
        if (!parts.accesses[a].store()) b.write(kStateRax, 8, b.load(a));
        b.access(parts.accesses[a].store() ? b.read(kStateRax, 8) : DataflowBuilder::kEmpty, DataflowBuilder::kEmpty);
      }
      b.exit(e.target == 0 ? b.weaken(b.read(kStateRax, 8)) : DataflowBuilder::kEmpty);
    }
    for (; told < parts.accesses.size(); ++told) b.access(DataflowBuilder::kEmpty, DataflowBuilder::kEmpty);
    FlowParts flow(b.finish());
    if (change_flow) change_flow(table.size() + 1, flow);
    table.add(flow.view());
  }
  return table;
}

}  // namespace cdr::test
