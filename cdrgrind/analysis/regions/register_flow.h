// SPDX-License-Identifier: GPL-2.0-or-later
// Which registers a block reads as they are when it begins, and which it has written when it ends: from the data-flow
// summaries. Where an iteration begins within the block it is told instruction by instruction, from its code.
//
// Registers are looked at in *chunks* of 8 bytes of the guest's state. Left out are the stack pointer, what the block
// only passes on, what it saves and restores, modes, and the x87 stack.
#ifndef CDRGRIND_ANALYSIS_REGIONS_REGISTER_FLOW_H
#define CDRGRIND_ANALYSIS_REGIONS_REGISTER_FLOW_H

#include <bitset>
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

// What a function may get its arguments in: rdi, rsi, rdx, rcx, r8, r9, xmm0 to xmm7 (System V ABI for AMD64, section
// 3.2).
constexpr RegisterSet kArgumentRegisters = 0x00ff'03c6;
struct ArgumentUses {
  RegisterSet reads = 0, writes = 0;
};

struct RegisterUse {
  uint16_t insn = 0;
  uint8_t chunk = 0;
};

// Of the instructions of a block up to where an iteration begins, or up to its end: what they read as it was before
// them, each as often as they do, and where they write last.
struct RegisterStep {
  std::vector<RegisterUse> reads, writes;
};

class RegisterFlow {
 public:
  enum class Told : uint8_t { kYes, kNothing };
  RegisterFlow(const BlockTable& blocks, const DataflowTable& flows, InsnTable& insns, Told told = Told::kYes)
      : blocks_(blocks), flows_(flows), insns_(insns), told_(told) {}
  // Cuts blocks as this one does, and says nothing of what they read and write.
  RegisterFlow cuts_only() const { return {blocks_, flows_, insns_, Told::kNothing}; }

  // Of the block as a whole.
  RegisterStep of_block(BlockId id) const;
  // What it does with registers that may hold arguments, of vector registers with the lowest 8 bytes. Who only puts one
  // into memory has not read it: it saves it, or may take several arguments.
  ArgumentUses arguments_of(BlockId id) const;
  // The superblock's first `insns` instructions, cut before those of `ends`, which ascend.
  std::vector<RegisterStep> by_insn(SuperblockId id, std::span<const uint16_t> ends, uint32_t insns) const;

 private:
  enum class Stores : uint8_t { kRead, kKeep };  // the values that they store
  struct ChunkUses {
    std::bitset<kRegisterChunks> reads, writes;
  };
  bool aligns(const Superblock& code, uint32_t access) const;
  ChunkUses uses_of(BlockId id, Stores stores) const;
  RegisterStep step(const Superblock& sb, uint32_t begin, uint32_t end) const;
  uint16_t place_of(const Superblock& sb, uint32_t insns, uint8_t chunk, bool write) const;
  bool is_written(const Superblock& sb, uint32_t insns, uint32_t offset) const;

  const BlockTable& blocks_;
  const DataflowTable& flows_;
  InsnTable& insns_;
  Told told_;
};

}  // namespace cdr::regions

#endif
