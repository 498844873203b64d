// SPDX-License-Identifier: GPL-2.0-or-later
// What the engine has worked out about a superblock when it was first executed, and about each block (a
// superblock up to an exit).
#ifndef CDRGRIND_DEPEND_LOWERED_BLOCK_H
#define CDRGRIND_DEPEND_LOWERED_BLOCK_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/depend/access_contexts.h"
#include "cdrgrind/depend/code_table.h"
#include "cdrgrind/depend/memory.h"

namespace cdr::depend {

enum class OpKind : uint8_t {
  kLoad = static_cast<uint8_t>(AccessMode::kLoad),
  kLoadOnly = static_cast<uint8_t>(AccessMode::kLoadOnly),
  kStore = static_cast<uint8_t>(AccessMode::kStore),
  kSp,     // SP changes
  kGroup,  // the accesses behind it are of one instruction, may overlap, and are not all loads
};

// A step of a block. What an instruction does to SP stands before its accesses: a fall of SP counts before
// them and a rise after them, so that each access is made at the lower of the two.
struct Op {
  static constexpr uint8_t kOddWidth = 0xff;

  uint64_t constant = 0;  // of the address, or of SP
  uint16_t slot = 0;      // the same
  uint16_t count = 0;     // access: its width; kGroup: accesses; kSp: ops of the same instruction behind it
  OpKind kind = OpKind::kLoad;
  uint8_t shift = kOddWidth;  // of the width, if it is a power of two
  bool guarded = false;
  bool quick = false;  // an access that the fast path can do

  bool is_access() const { return kind <= OpKind::kStore; }
  AccessMode mode() const { return static_cast<AccessMode>(kind); }
  bool operator==(const Op&) const = default;
};

struct LoweredSuperblock {
  static constexpr uint32_t kNoVersion = ~uint32_t{0};

  uint8_t flags = 0;  // SuperblockFlags
  uint32_t accesses = 0;
  SiteIndex sites = 0;  // of the first access
  // The contexts of its last execution; once they are used a second time, an inline cache for each access.
  ContextIndex contexts = 0;
  NodeIndex node = 0;
  uint32_t phase = 0;
  uint64_t sp = 0;
  std::unique_ptr<InlineCache[]> inline_caches;
  uint32_t version = kNoVersion;  // of the classifier, from which on the inline caches hold
  // What is not needed by each execution.
  CodeIndex code = 0;        // of the entry
  SiteIndex lazy_sites = 0;  // of the first access in lazy binding; 0: not made yet
  std::vector<Op> ops;       // all the way to its end
};

struct LoweredBlock {
  LoweredSuperblock* superblock = nullptr;
  const Op* ops = nullptr;
  uint32_t op_count = 0;
  CodeIndex last = 0;  // the last instruction executed
  uint16_t accesses = 0;
  bool jumps = false;
  bool plain = false;  // its ops are accesses that the fast path can do
};

class LoweredBlocks {
 public:
  LoweredBlocks(const BlockTable& blocks, CodeTable& codes, AccessContexts& contexts, bool rounded)
      : blocks_(blocks), codes_(codes), contexts_(contexts), rounded_(rounded) {}

  const LoweredBlock& block(BlockId id) {
    if (id.value < lowered_.size() && lowered_[id.value].superblock) return lowered_[id.value];
    return make_block(id);
  }
  // The ops of a superblock's first accesses and SP changes; valid until the next call.
  std::span<const Op> part_of(const Superblock& sb, size_t accesses, size_t sp_changes) {
    scratch_ops_.clear();
    add_ops(sb, accesses, sp_changes, scratch_ops_);
    return scratch_ops_;
  }
  SiteIndex lazy_sites(LoweredSuperblock& lowered);
  // Inline caches that hold from `version` on: none yet. What is not counted of the former is.
  void start_inline_caches(LoweredSuperblock& lowered, uint32_t version, RowTable& row_table);
  // Counts what inline caches have not counted yet.
  void count_inline_caches(RowTable& row_table);
  // The contexts of former executions are no longer valid.
  void forget_contexts();
  size_t bytes() const { return bytes_; }

 private:
  const LoweredBlock& make_block(BlockId id);
  LoweredSuperblock& superblock(SuperblockId id);
  SiteIndex add_sites(const Superblock& sb);
  void add_ops(const Superblock& sb, size_t accesses, size_t sp_changes, std::vector<Op>& ops) const;
  void add_instruction(std::span<const Access> accesses, const SpChange* change, std::vector<Op>& ops) const;
  Op access_op(const Access& a) const;
  bool may_overlap(std::span<const Access> accesses) const;
  bool surely_apart(const Access& a, const Access& b) const;

  const BlockTable& blocks_;
  CodeTable& codes_;
  AccessContexts& contexts_;
  bool rounded_;  // addresses are: what lies apart may come to overlap
  std::vector<LoweredBlock> lowered_;
  std::vector<std::vector<Op>> own_ops_;  // of blocks whose ops are not just the superblock's first
  std::vector<std::unique_ptr<LoweredSuperblock>> superblocks_;
  std::vector<Site> scratch_;
  std::vector<Op> scratch_ops_;
  size_t bytes_ = 0;
};

}  // namespace cdr::depend

#endif
