// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/patterns/near_use.h"

#include "tests/unit/catch.h"

namespace cdr::patterns {
namespace {

constexpr ModuleId kModule(1);
constexpr uint64_t kElements = 4096, kArray = 0x100000;

// Three instructions of four bytes, executed up to the exit at the last one.
void add_code(BlockTable& to, uint64_t addr, ExitKind kind, uint64_t target, uint8_t flags = 0) {
  const Insn insns[] = {{0, 4}, {4, 4}, {8, 4}};
  Exit exit;
  exit.insns = 3;
  exit.kind = kind;
  exit.target = target;
  Superblock sb;
  sb.addr = addr;
  sb.module = kModule;
  sb.length = 12;
  sb.flags = flags;
  sb.insns = insns;
  sb.exits = std::span(&exit, 1);
  to.add_block(to.add_superblock(sb), 0);
}

// Loads `width` bytes at an offset of each element of 64 bytes.
AccessPattern walk(uint64_t ip, uint64_t offset, uint64_t width) {
  AccessPattern p;
  p.ip = {kModule, ip};
  p.accesses = kElements;
  p.footprint.add(kArray + offset, 64, kElements, width);
  return p;
}

template <class... Walks>
uint64_t near(const BlockTable& blocks, Walks... walks) {
  std::vector<AccessPattern> all;
  (all.push_back(std::move(walks)), ...);
  find_near_use(blocks, all);
  return all.front().near_bytes / kElements;
}

TEST_CASE("what the same loop uses of the lines counts, not what another one does") {
  BlockTable blocks;
  add_code(blocks, 0x1000, ExitKind::kFallThrough, 0x100c, kBlockFunctionEntry);
  add_code(blocks, 0x100c, ExitKind::kBranch, 0x100c);
  add_code(blocks, 0x1020, ExitKind::kBranch, 0x1020);
  CHECK(near(blocks, walk(0x100c, 0, 8), walk(0x1010, 8, 8), walk(0x1020, 16, 24)) == 16);
  CHECK(near(blocks, walk(0x100c, 0, 8)) == 8);
  CHECK(near(blocks, walk(0x1000, 0, 8), walk(0x1020, 16, 24)) == 32);  // in no loop: whoever uses them
}

TEST_CASE("what the loop calls counts, and everything where that is not known") {
  for (const ExitKind kind : {ExitKind::kCall, ExitKind::kIndirectCall}) {
    BlockTable blocks;
    add_code(blocks, 0x1000, ExitKind::kFallThrough, 0x100c, kBlockFunctionEntry);
    add_code(blocks, 0x100c, kind, kind == ExitKind::kCall ? 0x2000 : 0);
    add_code(blocks, 0x1018, ExitKind::kBranch, 0x100c);
    add_code(blocks, 0x2000, ExitKind::kReturn, 0, kBlockFunctionEntry);
    add_code(blocks, 0x3000, ExitKind::kReturn, 0, kBlockFunctionEntry);
    const uint64_t all = kind == ExitKind::kCall ? 16 : 32;
    CHECK(near(blocks, walk(0x100c, 0, 8), walk(0x2000, 8, 8), walk(0x3000, 16, 16)) == all);
  }
}

TEST_CASE("a jump backwards over a function's beginning makes no loop") {
  BlockTable blocks;
  add_code(blocks, 0x1000, ExitKind::kReturn, 0, kBlockFunctionEntry);
  add_code(blocks, 0x2000, ExitKind::kBranch, 0x1000, kBlockFunctionEntry);
  CHECK(near(blocks, walk(0x2000, 0, 8), walk(0x9000, 8, 8)) == 16);
}

}  // namespace
}  // namespace cdr::patterns
