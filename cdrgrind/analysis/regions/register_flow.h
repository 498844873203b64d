// SPDX-License-Identifier: GPL-2.0-or-later
// Which registers a block reads as they are when it begins, and which it has written when it ends: from the data-flow
// summaries. Where an iteration begins within the block it is told instruction by instruction, from its code.
//
// Registers are looked at in *chunks* of 8 bytes of the guest's state. Left out are the stack pointer, what the block
// only passes on, what it saves and restores, modes, and the x87 stack.
#ifndef CDRGRIND_ANALYSIS_REGIONS_REGISTER_FLOW_H
#define CDRGRIND_ANALYSIS_REGIONS_REGISTER_FLOW_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/regions/machine_insn.h"
#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/base/guest_state.h"

namespace cdr::regions {

constexpr uint32_t kRegisterChunks = kGuestStateBytes / 8;
constexpr uint8_t kVectorChunk = kStateYmm0 / 8;

// Of a register of machine_insn.h; of a vector register the lowest.
constexpr uint8_t chunk_of(uint8_t reg) {
  return static_cast<uint8_t>(reg < kFirstVector ? reg : kVectorChunk + 4 * (reg - kFirstVector));
}
// The other way; kNoRegister for flags and the like.
constexpr uint8_t register_of_chunk(uint8_t chunk) {
  if (chunk < kFirstVector) return chunk;
  return chunk >= kVectorChunk && chunk < kVectorChunk + 64
             ? static_cast<uint8_t>(kFirstVector + (chunk - kVectorChunk) / 4)
             : kNoRegister;
}

// What a function may return its value in: rax and rdx, the lowest vector register and 8 bytes of the next.
constexpr bool is_result_chunk(uint8_t chunk) {
  return chunk == kStateRax / 8 || chunk == kStateRdx / 8 || (chunk >= kVectorChunk && chunk <= kVectorChunk + 4);
}

struct RegisterUse {
  uint16_t insn = 0;
  uint8_t chunk = 0;
  bool write = false;
};

class RegisterFlow {
 public:
  RegisterFlow(const BlockTable& blocks, const DataflowTable& flows, InsnTable& insns)
      : blocks_(blocks), flows_(flows), insns_(insns), whole_(blocks.block_count() + 1) {}

  // Reads, then writes. Valid until the next call.
  std::span<const RegisterUse> of_block(BlockId id);
  // In the order of instructions, of each its reads first.
  std::span<const RegisterUse> by_insn(SuperblockId id);

 private:
  struct Uses {
    bool known = false;
    std::vector<RegisterUse> uses;
  };
  std::vector<RegisterUse> make(BlockId id) const;
  uint16_t place_of(const Superblock& sb, uint32_t insns, uint8_t chunk, bool write) const;
  bool is_written(const Superblock& sb, uint32_t insns, uint32_t offset) const;

  const BlockTable& blocks_;
  const DataflowTable& flows_;
  InsnTable& insns_;
  std::vector<Uses> whole_;  // by block
  std::unordered_map<uint32_t, std::vector<RegisterUse>> by_insn_;
};

}  // namespace cdr::regions

#endif
