// SPDX-License-Identifier: GPL-2.0-or-later
// What the engine has worked out about a superblock when it was first executed, and about each block (a
// superblock up to an exit).
#ifndef CDRGRIND_DEPEND_PLAN_H
#define CDRGRIND_DEPEND_PLAN_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/depend/actors.h"
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

struct SuperblockPlan {
  static constexpr uint32_t kNoEpoch = ~uint32_t{0};

  std::vector<Op> ops;  // all the way to its end
  uint32_t accesses = 0;
  CodeIndex code = 0;        // of the entry
  uint8_t flags = 0;         // SuperblockFlags
  SiteIndex sites = 0;       // of the first access
  SiteIndex lazy_sites = 0;  // the same in lazy binding; 0: not made yet

  // The actors of its last execution; once they are used a second time, a precedent for each access.
  std::unique_ptr<Precedent[]> precedents;
  uint32_t epoch = kNoEpoch;  // of the judge, from which on the precedents hold
  ActorIndex actors = 0;
  NodeIndex node = 0;
  uint32_t phase = 0;
  uint64_t sp = 0;
};

struct BlockPlan {
  SuperblockPlan* superblock = nullptr;
  const Op* ops = nullptr;
  uint32_t op_count = 0;
  CodeIndex last = 0;  // the last instruction executed
  uint16_t accesses = 0;
  bool jumps = false;
};

class Plans {
 public:
  Plans(const BlockTable& blocks, CodeTable& codes, Actors& actors, bool rounded)
      : blocks_(blocks), codes_(codes), actors_(actors), rounded_(rounded) {}

  const BlockPlan& block(BlockId id) {
    if (id.value < block_plans_.size() && block_plans_[id.value].superblock) return block_plans_[id.value];
    return make_block(id);
  }
  // The ops of a superblock's first accesses and SP changes; valid until the next call.
  std::span<const Op> part_of(const Superblock& sb, size_t accesses, size_t sp_changes) {
    scratch_ops_.clear();
    add_ops(sb, accesses, sp_changes, scratch_ops_);
    return scratch_ops_;
  }
  SiteIndex lazy_sites(SuperblockPlan& plan);
  // Precedents that hold from `epoch` on: none yet. What is not counted of the former is.
  void start_precedents(SuperblockPlan& plan, uint32_t epoch, Tally& tally);
  // Counts what precedents have not counted yet.
  void count_precedents(Tally& tally);
  // The actors of former executions are no longer valid.
  void forget_actors();
  size_t bytes() const { return bytes_; }

 private:
  const BlockPlan& make_block(BlockId id);
  SuperblockPlan& superblock(SuperblockId id);
  SiteIndex add_sites(const Superblock& sb);
  void add_ops(const Superblock& sb, size_t accesses, size_t sp_changes, std::vector<Op>& ops) const;
  void add_instruction(std::span<const Access> accesses, const SpChange* change, std::vector<Op>& ops) const;
  Op access_op(const Access& a) const;
  bool may_overlap(std::span<const Access> accesses) const;
  bool surely_apart(const Access& a, const Access& b) const;

  const BlockTable& blocks_;
  CodeTable& codes_;
  Actors& actors_;
  bool rounded_;  // addresses are: what lies apart may come to overlap
  std::vector<BlockPlan> block_plans_;
  std::vector<std::vector<Op>> own_ops_;  // of blocks whose ops are not just the superblock's first
  std::vector<std::unique_ptr<SuperblockPlan>> superblocks_;
  std::vector<Site> scratch_;
  std::vector<Op> scratch_ops_;
  size_t bytes_ = 0;
};

}  // namespace cdr::depend

#endif
