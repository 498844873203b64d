// SPDX-License-Identifier: GPL-2.0-or-later
// A clean trace of a small program with every kind of event, for tests that break one thing in it.
//
//     main   call f; f: load, store to the heap, ret; a lock; a system call; a loop; thread 2 runs g; end
#ifndef CDRGRIND_TESTS_UNIT_TRACE_SMALL_PROGRAM_H
#define CDRGRIND_TESTS_UNIT_TRACE_SMALL_PROGRAM_H

#include "tests/unit/trace/memory_trace.h"

namespace cdr::test {

// A superblock under construction; defaults make it valid.
struct SuperblockParts {
  Superblock sb;
  std::vector<Insn> insns;
  std::vector<Access> accesses;
  std::vector<SpChange> sp_changes;
  std::vector<Exit> exits;

  Superblock view() const {
    Superblock s = sb;
    s.insns = insns;
    s.accesses = accesses;
    s.sp_changes = sp_changes;
    s.exits = exits;
    return s;
  }
};

// `n` instructions of 4 bytes at `addr` in module 1, one exit at the end.
inline SuperblockParts straight(uint64_t addr, uint16_t n, ExitKind kind, uint64_t target) {
  SuperblockParts p;
  p.sb.addr = addr;
  p.sb.length = 4u * n;
  p.sb.module = ModuleId(1);
  for (uint32_t i = 0; i < n; ++i) p.insns.push_back({4 * i, 4});
  Exit e;
  e.target = target;
  e.insns = n;
  e.kind = kind;
  p.exits = {e};
  return p;
}

constexpr uint64_t kText = 0x400000, kStackEnd = 0x7ff000, kSp = 0x7fe000;

// Blocks of small_program(), by name of what they do; ids by first appearance.
enum SmallBlock : uint32_t {
  kCallF = 1,
  kF,
  kLock,
  kSyscallBlock,
  kLoopAgain,
  kHandler,
  kLoopOut,
  kThreadBody,
  kCallG,
  kG
};

inline Event block_of(uint32_t thread, uint32_t block, std::span<const uint64_t> words = {}) {
  Event e = event_of(EventKind::kBlock, thread);
  e.block = BlockId(block);
  e.words = words;
  return e;
}

struct SmallProgram {
  std::vector<SuperblockParts> superblocks;
  std::vector<Block> blocks;
  Module module;
  std::vector<OwnedEvent> events;
  uint32_t parent_pid = 0;
  // Of the first so many superblocks a summary is recorded, changed by this.
  uint32_t flow_count = ~uint32_t{0};
  void (*change_flow)(uint32_t superblock, FlowParts&) = nullptr;

  Tables tables() const {
    Tables t;
    t.modules.add(module);
    for (const auto& sb : superblocks) t.blocks.add_superblock(sb.view());
    for (const Block& b : blocks) t.blocks.add_block(b.superblock, b.exit);
    return t;
  }
  // Made up: every address comes from rbx, a value stored from rax and what was loaded first, rax from the last load.
  DataflowTable flows() const;
  std::vector<uint8_t> bytes(RecordingOptions options = {}) const {
    const DataflowTable table = flows();
    options.dataflow = &table;
    return record(tables(), events, options, parent_pid);
  }

  // Index of the n-th event of the kind (of the block).
  size_t find(EventKind kind, uint32_t block = 0, size_t n = 0) const {
    for (size_t i = 0; i < events.size(); ++i)
      if (events[i].event.kind == kind && (block == 0 || events[i].event.block.value == block) && n-- == 0) return i;
    return events.size();
  }
  void insert(size_t at, const Event& e) { events.insert(events.begin() + static_cast<ptrdiff_t>(at), OwnedEvent(e)); }
  void erase(size_t at) { events.erase(events.begin() + static_cast<ptrdiff_t>(at)); }
};

SmallProgram small_program();

}  // namespace cdr::test

#endif
