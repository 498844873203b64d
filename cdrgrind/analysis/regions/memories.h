// SPDX-License-Identifier: GPL-2.0-or-later
// Which object an address belongs to: heap blocks by the place of their allocation, variables as the caller tells them.
#ifndef CDRGRIND_ANALYSIS_REGIONS_MEMORIES_H
#define CDRGRIND_ANALYSIS_REGIONS_MEMORIES_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/base/range.h"

namespace cdr::regions {

// A variable with a fixed place, or what lies between two.
struct StaticPiece {
  AddrRange range;  // holds the address asked for
  uint32_t id = 0;  // 0: no variable is known there
  bool library = false;
};

class StaticData {
 public:
  virtual StaticPiece piece_at(uint64_t addr) = 0;
  // Around the address, where no module of the program's is; empty: one is there. Asks for no names.
  virtual AddrRange foreign_piece(uint64_t addr) = 0;
  // Numbers all variables that were asked for anew, ascending by address; by former number, what it is now.
  virtual std::vector<uint32_t> number_by_address() = 0;

 protected:
  ~StaticData() = default;
};

// The same, with what it said of the addresses that were asked for last.
class RecentPieces {
 public:
  explicit RecentPieces(StaticData& all) : all_(all) {}
  const StaticPiece& piece_at(uint64_t addr) {
    Known& k = at(addr);
    if (!k.has_piece) {
      k.piece = all_.piece_at(addr);
      k.has_piece = true;
    }
    return k.piece;
  }
  AddrRange foreign_piece(uint64_t addr) {
    Known& k = at(addr);
    if (!k.has_foreign) {
      k.foreign = all_.foreign_piece(addr);
      k.has_foreign = true;
    }
    return k.foreign;
  }

 private:
  static constexpr unsigned kBits = 11;
  struct Known {
    uint64_t addr = 0;
    bool has_piece = false, has_foreign = false;
    StaticPiece piece;
    AddrRange foreign;
  };
  Known& at(uint64_t addr) {
    Known& k = known_[addr * 0x9e3779b97f4a7c15 >> (64 - kBits)];
    if (k.addr != addr) k = {addr, false, false, {}, {}};
    return k;
  }

  StaticData& all_;
  std::vector<Known> known_ = std::vector<Known>(size_t{1} << kBits);
};

class HeapBlocks {
 public:
  struct Block {
    AddrRange range;
    uint32_t place = 0;
    bool library = false;  // a library's own
  };

  void add(const Block& b) {
    remove(b.range);
    blocks_[b.range.begin] = b;
    ++version_;
  }
  void remove(AddrRange range) {
    auto b = blocks_.lower_bound(range.begin);
    if (b != blocks_.begin() && std::prev(b)->second.range.end > range.begin) --b;
    while (b != blocks_.end() && b->first < range.end) {
      forget(b->second.range);
      b = blocks_.erase(b);
    }
    ++version_;
  }
  // Null if the address is in none.
  const Block* at(uint64_t addr) const {
    Block& recent = recent_[addr / kPiece % kRecent];
    if (recent.range.contains(addr)) return &recent;
    auto b = blocks_.upper_bound(addr);
    if (b == blocks_.begin()) return nullptr;
    --b;
    if (!b->second.range.contains(addr)) return nullptr;
    recent = b->second;
    return &recent;
  }
  // Around an address that is in no block.
  AddrRange gap_at(uint64_t addr) const {
    const auto behind = blocks_.upper_bound(addr);
    return {behind == blocks_.begin() ? 0 : std::prev(behind)->second.range.end,
            behind == blocks_.end() ? ~uint64_t{0} : behind->first};
  }
  // Changes whenever blocks do.
  uint64_t version() const { return version_; }

 private:
  static constexpr uint64_t kPiece = 16, kRecent = 4096;

  void forget(AddrRange block) {
    const uint64_t first = block.begin / kPiece, count = (block.end - 1) / kPiece - first + 1;
    for (uint64_t i = 0; i < std::min(count, kRecent); ++i)
      if (Block& b = recent_[(first + i) % kRecent]; b.range.begin == block.begin) b = {};
  }

  std::map<uint64_t, Block> blocks_;
  uint64_t version_ = 0;
  mutable std::vector<Block> recent_ = std::vector<Block>(kRecent);  // by a piece of them; empty: none
};

}  // namespace cdr::regions

#endif
