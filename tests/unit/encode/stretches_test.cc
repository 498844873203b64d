// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/stretches.h"

#include <map>

#include "tests/unit/properties.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

using Blocks = std::vector<uint32_t>;

// Block i (from 1) lies at 100 * i, four instructions long; the exit is of the kind given.
BlockTable table(std::initializer_list<ExitKind> kinds) {
  BlockTable t;
  uint64_t address = 100;
  for (const ExitKind k : kinds) {
    t.add_block(t.add_superblock(straight(address, 4, k, 0).view()), 0);
    address += 100;
  }
  return t;
}

constexpr auto kJump = ExitKind::kBranch;

Blocks blocks_of(const Stretches& s, uint32_t id) {
  std::vector<BlockId> ids;
  s.blocks_of(id, ids);
  Blocks b;
  for (const BlockId i : ids) b.push_back(i.value);
  return b;
}

// The stretches of the sequence; 0 in it ends the stretch from outside.
std::vector<Blocks> cut(const BlockTable& t, const Blocks& sequence) {
  Stretches s(t);
  Stretches::Open open;
  std::vector<Blocks> all;
  const auto take = [&](uint32_t id) {
    if (id != 0) all.push_back(blocks_of(s, id));
  };
  for (const uint32_t b : sequence) take(b ? s.advance(open, BlockId(b)) : s.finish(open));
  take(s.finish(open));
  return all;
}

// The same, written down from the definition.
std::vector<Blocks> cut_by_definition(const BlockTable& t, const Blocks& sequence) {
  std::vector<Blocks> all;
  Blocks now;
  const auto end = [&] {
    if (!now.empty()) all.push_back(now);
    now.clear();
  };
  for (const uint32_t b : sequence) {
    if (!now.empty() && b != 0 && is_jump(t.exit_of(BlockId(now.back())).kind) && b <= now.back()) end();
    if (now.size() == kMaxStretch || b == 0) end();
    if (b != 0) now.push_back(b);
  }
  end();
  return all;
}

}  // namespace

TEST_CASE("a loop is one stretch over and over") {
  const BlockTable t = table({kJump, kJump, kJump, kJump});
  CHECK(cut(t, {1, 2, 3, 2, 3, 2, 3, 4}) == std::vector<Blocks>{{1, 2, 3}, {2, 3}, {2, 3, 4}});
  CHECK(cut(t, {2, 2, 2}) == std::vector<Blocks>{{2}, {2}, {2}});
}

TEST_CASE("calls and returns do not cut, events do") {
  const BlockTable t = table({ExitKind::kReturn, kJump, ExitKind::kCall});
  CHECK(cut(t, {2, 3, 1, 3, 1}) == std::vector<Blocks>{{2, 3, 1, 3, 1}});
  CHECK(cut(t, {2, 3, 0, 1, 0, 0, 3}) == std::vector<Blocks>{{2, 3}, {1}, {3}});
}

TEST_CASE("no stretch is longer than the limit") {
  const BlockTable t = table({ExitKind::kCall});
  const auto all = cut(t, Blocks(150, 1));
  REQUIRE(all.size() == 3);
  CHECK(all[0].size() == kMaxStretch);
  CHECK(all[2].size() == 150 - 2 * kMaxStretch);
}

TEST_CASE("stretches are what the definition says, equal ones have one id") {
  const BlockTable t = table({kJump, ExitKind::kCall, kJump, ExitKind::kReturn, ExitKind::kFallThrough, kJump});
  rc::prop("sequences of two threads", [&] {
    const auto steps = *rc::gen::container<std::vector<std::pair<bool, uint32_t>>>(
        *rc::gen::inRange<size_t>(0, 400), rc::gen::pair(rc::gen::arbitrary<bool>(), rc::gen::inRange<uint32_t>(0, 7)));
    Stretches s(t);
    Stretches::Open open[2];
    Blocks sequence[2];
    std::vector<Blocks> all[2];
    std::map<Blocks, uint32_t> ids;
    const auto take = [&](bool thread, uint32_t id) {
      if (id == 0) return;
      all[thread].push_back(blocks_of(s, id));
      RC_ASSERT(ids.emplace(all[thread].back(), id).first->second == id);
    };
    for (const auto& [thread, b] : steps) {
      sequence[thread].push_back(b);
      take(thread, b ? s.advance(open[thread], BlockId(b)) : s.finish(open[thread]));
    }
    for (const bool thread : {false, true}) {
      take(thread, s.finish(open[thread]));
      RC_ASSERT(all[thread] == cut_by_definition(t, sequence[thread]));
    }
    RC_ASSERT(ids.size() == s.count());
  });
}

TEST_CASE("however many blocks may follow, each has its stretch") {
  // Block 1 calls one of the others, which return to a block that jumps back.
  constexpr uint32_t kCallees = 20;
  BlockTable t = table({ExitKind::kCall});
  for (uint32_t i = 0; i < kCallees; ++i)
    t.add_block(t.add_superblock(straight(1000 + 100 * i, 4, ExitKind::kReturn, 0).view()), 0);
  const BlockId back = t.add_block(t.add_superblock(straight(200, 4, kJump, 0).view()), 0);
  rc::prop("callees", [&] {
    const auto callees = *rc::gen::container<Blocks>(rc::gen::inRange<uint32_t>(2, 2 + kCallees));
    Stretches s(t);
    Stretches::Open open;
    std::map<uint32_t, uint32_t> ids;  // by callee
    for (const uint32_t callee : callees) {
      RC_ASSERT(s.finish(open) == 0);
      for (const uint32_t b : {1u, callee, back.value}) RC_ASSERT(s.advance(open, BlockId(b)) == 0);
      const uint32_t id = s.finish(open);
      RC_ASSERT(blocks_of(s, id) == (Blocks{1, callee, back.value}));
      RC_ASSERT(ids.emplace(callee, id).first->second == id);
    }
    RC_ASSERT(ids.size() == s.count());
  });
}

TEST_CASE("stretches that are forgotten get new numbers") {
  const BlockTable t = table({kJump, kJump});
  Stretches s(t);
  Stretches::Open open;
  const auto take = [&](uint32_t b) { return s.advance(open, BlockId(b)); };
  CHECK(take(1) == 0);
  CHECK(take(1) == 1);
  CHECK(s.finish(open) == 1);
  s.forget();
  CHECK(s.count() == 1);
  CHECK(take(1) == 0);
  CHECK(s.finish(open) == 2);
  CHECK(blocks_of(s, 2) == Blocks{1});
  CHECK(s.count() == 2);
}
