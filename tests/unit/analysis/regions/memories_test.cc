// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/memories.h"

#include <rapidcheck.h>

#include <algorithm>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr::regions {
namespace {

TEST_CASE("an address is in the block that was allocated there last, if it was not freed") {
  const auto holds = [] {
    HeapBlocks heap;
    std::vector<HeapBlocks::Block> live;
    // Some are so far from each other that what is remembered of one takes the place of the other.
    const auto some_address = [] {
      return *rc::gen::inRange<uint64_t>(0, 40) * 8 + *rc::gen::inRange<uint64_t>(0, 2) * 65536;
    };
    const auto forget = [&](AddrRange range) {
      std::erase_if(live, [&](const HeapBlocks::Block& b) { return b.range.overlaps(range); });
    };
    const auto steps = *rc::gen::inRange<uint32_t>(1, 60);
    for (uint32_t i = 1; i <= steps; ++i) {
      const uint64_t begin = some_address();
      const AddrRange range{begin, begin + *rc::gen::elementOf(std::vector<uint64_t>{1, 8, 24, 100, 70'000})};
      switch (*rc::gen::inRange(0, 4)) {
        case 0:
          forget(range);
          heap.remove(range);
          break;
        case 1:
          forget(range);
          heap.add({range, i, false});
          live.push_back({range, i, false});
          break;
        default: {
          const uint64_t addr = some_address();
          const auto b = std::find_if(live.begin(), live.end(),
                                      [&](const HeapBlocks::Block& x) { return x.range.contains(addr); });
          const HeapBlocks::Block* const found = heap.at(addr);
          RC_ASSERT((found != nullptr) == (b != live.end()));
          if (found) RC_ASSERT(found->place == b->place);
          if (found) RC_ASSERT(found->range == b->range);
        }
      }
    }
  };
  CHECK(rc::check(holds));
}

TEST_CASE("what lies at an address is asked for once") {
  struct Data final : StaticData {
    unsigned pieces = 0, foreign = 0;
    StaticPiece piece_at(uint64_t addr) override {
      ++pieces;
      return {{addr, addr + 4}, static_cast<uint32_t>(addr), false};
    }
    AddrRange foreign_piece(uint64_t addr) override {
      ++foreign;
      return {addr, addr + 8};
    }
    std::vector<uint32_t> number_by_address() override { return {}; }
  };
  Data data;
  RecentPieces recent(data);
  for (int again = 0; again < 3; ++again) {
    CHECK(recent.piece_at(400).id == 400);
    CHECK(recent.foreign_piece(400) == AddrRange{400, 408});
    CHECK(recent.piece_at(401).id == 401);
    CHECK(recent.piece_at(0).range == AddrRange{0, 4});
  }
  CHECK(data.pieces == 3);
  CHECK(data.foreign == 1);
}

}  // namespace
}  // namespace cdr::regions
