// SPDX-License-Identifier: GPL-2.0-or-later
// What is one basic block and what are two; hot paths of them.
#include "cdrgrind/analysis/paths/path_profile.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::paths;

namespace {

// A superblock of three instructions at `addr`: it may end after its second, or go on at either of two places.
SuperblockId add_branching(BlockTable& blocks, uint64_t addr, uint8_t flags = 0) {
  test::SuperblockParts parts = test::straight(addr, 3, ExitKind::kFallThrough, addr + 12);
  Exit early = parts.exits[0], taken = parts.exits[0];
  early.insns = 2;
  early.guard = ExitGuard::kRepeat;
  taken.guard = ExitGuard::kCondition;
  taken.kind = ExitKind::kBranch;
  parts.exits = {early, taken, parts.exits[0]};
  parts.sb.flags = flags;
  return blocks.add_superblock(parts.view());
}

Event partial_of(uint32_t thread, BlockId block, uint64_t ip) {
  Event e = test::event_of(EventKind::kPartial, thread);
  e.block = block;
  e.ip = ip;
  return e;
}

}  // namespace

TEST_CASE("both outcomes of a branch are one basic block, and what was executed counts") {
  BlockTable table;
  const SuperblockId sb = add_branching(table, 0x1000);
  const BlockId early = table.add_block(sb, 0), taken = table.add_block(sb, 1), through = table.add_block(sb, 2);
  BasicBlocks blocks(table);
  CHECK(blocks.number_of(test::block_of(1, taken.value)) == 0);
  CHECK(blocks.number_of(test::block_of(1, through.value)) == 0);
  CHECK(blocks.number_of(test::block_of(2, early.value)) == 1);
  CHECK(blocks.number_of(partial_of(1, through, 0x1008)) == 1);
  CHECK(blocks.number_of(partial_of(1, through, 0x1004)) == 2);
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].insns == 3);
  CHECK(blocks[1].insns == 2);
  CHECK(blocks[2].insns == 1);
}

TEST_CASE("the same code translated again is the same basic block; the preload's is none") {
  BlockTable table;
  const BlockId once = table.add_block(add_branching(table, 0x1000), 2);
  const BlockId again = table.add_block(add_branching(table, 0x1000), 1);
  const BlockId shim = table.add_block(add_branching(table, 0x2000, kBlockShim), 2);
  BasicBlocks blocks(table);
  CHECK(blocks.number_of(test::block_of(1, once.value)) == blocks.number_of(test::block_of(1, again.value)));
  CHECK(blocks.number_of(test::block_of(1, shim.value)) == BasicBlocks::kShim);
  CHECK(blocks.size() == 1);
}

TEST_CASE("hot paths: executions times instructions, for all threads or for each") {
  BlockTable table;
  BasicBlocks blocks(table);
  std::vector<uint32_t> numbers;
  for (const uint64_t addr : {0x1000, 0x2000, 0x3000}) {
    const BlockId id = table.add_block(add_branching(table, addr), 2);
    numbers.push_back(blocks.number_of(test::block_of(1, id.value)));
  }
  PathProfile profile(blocks);
  const auto run = [&](uint32_t thread, std::vector<uint32_t> path, int times) {
    for (int i = 0; i < times; ++i)
      for (const uint32_t b : path) profile.block(ThreadId(thread), numbers[b]);
    profile.cut(ThreadId(thread));
  };
  run(1, {0, 1}, 10);  // 60 instructions
  run(2, {0, 1}, 5);   // 30
  run(2, {2}, 14);     // 42

  const std::vector<HotPath> together = profile.hottest(10, false);
  REQUIRE(together.size() == 2);
  CHECK(together[0].blocks == std::vector<uint32_t>{0, 1});
  CHECK(together[0].trips == 15);
  CHECK(together[0].instructions() == 90);
  CHECK(together[1].blocks == std::vector<uint32_t>{2});

  const std::vector<HotPath> apart = profile.hottest(2, true);
  REQUIRE(apart.size() == 2);
  CHECK(apart[0].thread == ThreadId(1));
  CHECK(apart[1].thread == ThreadId(2));
  CHECK(apart[1].instructions() == 42);
  CHECK(profile.instructions() == 132);
  CHECK(profile.executions() == 29);
  CHECK(profile.paths() == 2);
}

TEST_CASE("what libraries execute counts for the path with the block that called them") {
  BlockTable table;
  std::vector<uint32_t> block;
  BasicBlocks blocks(table);
  for (uint32_t i = 0; i < 4; ++i) {
    const test::SuperblockParts parts = test::straight(0x1000 + 0x100 * i, 1, ExitKind::kFallThrough, 0x2000);
    const BlockId id = table.add_block(table.add_superblock(parts.view()), 0);
    block.push_back(blocks.number_of(test::block_of(1, id.value)));
  }
  PathProfile profile(blocks);
  const ThreadId thread(1);
  // A B, with ten times as many instructions of libraries behind each B; then C, with one behind.
  constexpr uint64_t kTimes = 5000;
  for (uint64_t i = 0; i < kTimes; ++i) {
    profile.block(thread, block[0]);
    profile.block(thread, block[1]);
    profile.charged(thread, 6);
    profile.charged(thread, 4);
  }
  for (int i = 0; i < 2; ++i) {
    profile.block(thread, block[2]);
    profile.charged(thread, 1);
  }
  profile.left_out(7);
  profile.cut(ThreadId());
  const auto paths = profile.hottest(SIZE_MAX, false);
  uint64_t library = 0, all = 0;
  for (const HotPath& p : paths) {
    library += p.library;
    all += p.instructions();
  }
  CHECK(library == 10 * kTimes + 2);
  CHECK(all == profile.instructions());
  CHECK(profile.left_out() == 7);
  REQUIRE(paths.size() >= 2);
  CHECK(paths[0].blocks == std::vector<uint32_t>{block[0], block[1]});
  CHECK(paths[0].library == 10 * paths[0].trips);
  CHECK(paths[0].trips >= kTimes - 1);
}
