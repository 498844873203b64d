// SPDX-License-Identifier: GPL-2.0-or-later
// What is mapped and what is allocated, as the record stream says: enough to answer which piece of memory a
// stack pointer that left its stack points into. Answers are rare, so look-ups are linear.
#ifndef CDRGRIND_DRAIN_REGIONS_H
#define CDRGRIND_DRAIN_REGIONS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::drain {

class Regions {
 public:
  // `flags` are MapFlags, kept for who asks.
  void map(AddrRange r, uint64_t flags);
  void unmap(AddrRange r);
  void alloc(uint64_t addr, uint64_t size) { heap_[addr] = size; }
  void free(uint64_t addr) { heap_.erase(addr); }
  void register_stack(AddrRange r) { registered_.push_back(r); }

  struct Surroundings {
    AddrRange range;
    bool mapping = false;
  };
  // The registered stack, else the live heap block, else the mapping that holds sp; an sp just at the end of
  // one counts as inside if nothing else holds it. Empty if there is none.
  Surroundings around(uint64_t sp) const;

  struct Mapping {
    AddrRange range;
    uint64_t flags = 0;
  };
  struct HeapBlock {
    uint64_t addr = 0;
    uint64_t size = 0;
  };
  // In ascending order of address.
  std::vector<Mapping> mappings() const;
  std::vector<HeapBlock> heap_blocks() const;

 private:
  AddrRange heap_block_around(uint64_t addr) const;

  std::vector<Mapping> maps_;
  std::vector<AddrRange> registered_;
  FlatMap<uint64_t, uint64_t> heap_;
};

}  // namespace cdr::drain

#endif
