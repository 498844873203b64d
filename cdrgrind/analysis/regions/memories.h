// SPDX-License-Identifier: GPL-2.0-or-later
// Which object an address belongs to: heap blocks by the place of their allocation, variables as the caller tells them.
#ifndef CDRGRIND_ANALYSIS_REGIONS_MEMORIES_H
#define CDRGRIND_ANALYSIS_REGIONS_MEMORIES_H

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
    while (b != blocks_.end() && b->first < range.end) b = blocks_.erase(b);
    ++version_;
  }
  // Null if the address is in none.
  const Block* at(uint64_t addr) const {
    auto b = blocks_.upper_bound(addr);
    if (b == blocks_.begin()) return nullptr;
    --b;
    return b->second.range.contains(addr) ? &b->second : nullptr;
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
  std::map<uint64_t, Block> blocks_;
  uint64_t version_ = 0;
};

}  // namespace cdr::regions

#endif
