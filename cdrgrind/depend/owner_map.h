// SPDX-License-Identifier: GPL-2.0-or-later
// Which stack an address belongs to, and whether it lies in a GOT. Where stacks overlap, the one that was
// named for the first time last has it (greater index).
#ifndef CDRGRIND_DEPEND_OWNER_MAP_H
#define CDRGRIND_DEPEND_OWNER_MAP_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/range.h"
#include "cdrgrind/depend/activation_tree.h"

namespace cdr::depend {

struct Owner {
  StackIndex stack = 0;
  bool got = false;
  uint64_t end = 0;  // it is the same from the address asked for up to here
};

class OwnerMap {
 public:
  // A new stack, or new bounds of a known one.
  void set_stack(StackIndex stack, AddrRange range);
  void add_got(AddrRange range);
  void remove_got(AddrRange range);

  AddrRange range_of(StackIndex stack) const { return stack < ranges_.size() ? ranges_[stack] : AddrRange{}; }
  Owner at(uint64_t addr) const;
  // Line::meta of the 64 bytes there, without the shift.
  uint32_t meta_of_line(uint64_t addr) const;

 private:
  struct Segment {
    AddrRange range;
    StackIndex stack;
  };
  void overlay(AddrRange range, StackIndex stack);

  std::vector<AddrRange> ranges_;  // by stack
  std::vector<Segment> segments_;  // disjoint, ascending
  std::vector<AddrRange> gots_;    // ascending
};

}  // namespace cdr::depend

#endif
