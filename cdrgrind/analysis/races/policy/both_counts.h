// SPDX-License-Identifier: GPL-2.0-or-later
// Loads of both reference counts of a std::shared_ptr by one instruction, as libstdc++ has them since GCC 12 where the
// last owner lets go. The counts are changed by instructions of half that width; so the compare tells what it is:
//
//     mov    8(%rbp),%rdx
//     movabs $0x100000001,%rax     or somewhere before, on all ways
//     cmp    %rax,%rdx
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_BOTH_COUNTS_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_BOTH_COUNTS_H

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "cdrgrind/analysis/races/policy/insn_effects.h"
#include "cdrgrind/base/block_table.h"

namespace cdr::races {

// Not thread-safe.
class BothCounts {
 public:
  static constexpr uint64_t kWidth = 8;
  BothCounts(const BlockTable& blocks, CodeFacts& facts) : blocks_(blocks), facts_(facts) {}

  // Whether what the instruction loads is compared with two counts of one, in this superblock.
  bool are_loaded_by(SuperblockId sb, uint16_t insn);

 private:
  struct Before {
    SuperblockId superblock;
    uint16_t insns = 0;  // of it, that come before
  };
  std::optional<InsnEffects> effects(const Superblock& sb, size_t insn) {
    return reader_->read({sb.module, sb.insn_addr(static_cast<uint32_t>(insn))});
  }
  bool are_two_of_one(SuperblockId sb, size_t insns, Registers reg);
  void find_ways();

  const BlockTable& blocks_;
  CodeFacts& facts_;
  std::optional<InsnReader> reader_;                   // made when first needed
  std::unordered_multimap<uint64_t, Before> ways_to_;  // by a superblock's address
};

}  // namespace cdr::races

#endif
