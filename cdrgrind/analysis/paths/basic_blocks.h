// SPDX-License-Identifier: GPL-2.0-or-later
// The basic blocks of the papers, made of the trace's blocks: the instructions executed from an address up to an
// exit or a fault. The two outcomes of a conditional branch are the same basic block: which one it was, the next
// basic block says. Numbers are serial from 0, by first appearance.
//
// Non-goal: code of the preload (shims) is the recorder's, no part of the program, and has no number.
#ifndef CDRGRIND_ANALYSIS_PATHS_BASIC_BLOCKS_H
#define CDRGRIND_ANALYSIS_PATHS_BASIC_BLOCKS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::paths {

struct BasicBlock {
  SuperblockId superblock;  // one that begins with it
  uint32_t insns = 0;       // executed
};

// Not thread-safe.
class BasicBlocks {
 public:
  static constexpr uint32_t kShim = ~0u;

  explicit BasicBlocks(const BlockTable& blocks) : blocks_(blocks) {}

  // Of a Block or a Partial.
  uint32_t number_of(const Event& e) {
    if (e.kind == EventKind::kBlock && e.block.value < numbers_.size()) [[likely]]
      if (const uint32_t known = numbers_[e.block.value]; known != kUnknown) return known;
    return find(e);
  }

  uint32_t size() const { return static_cast<uint32_t>(list_.size()); }
  const BasicBlock& operator[](uint32_t number) const { return list_[number]; }
  const Superblock& superblock(uint32_t number) const { return blocks_.superblock(list_[number].superblock); }
  const BlockTable& blocks() const { return blocks_; }

 private:
  static constexpr uint32_t kUnknown = ~0u - 1;
  struct Key {
    uint64_t addr, last_insn;
    uint32_t module, insns;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    uint64_t operator()(const Key& k) const {
      return mix64(k.addr + mix64(k.last_insn ^ (uint64_t{k.module} << 48) ^ (uint64_t{k.insns} << 32)));
    }
  };

  uint32_t find(const Event& e);
  uint32_t intern(SuperblockId id, uint32_t insns);

  const BlockTable& blocks_;
  std::vector<uint32_t> numbers_;  // by BlockId
  std::vector<BasicBlock> list_;
  FlatMap<Key, uint32_t, Hash> index_;  // 1 + number
};

}  // namespace cdr::paths

#endif
