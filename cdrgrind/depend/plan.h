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

// An access as the fast path wants it.
struct Op {
  static constexpr uint8_t kOddWidth = 0xff;

  uint64_t constant = 0;
  uint16_t width = 0;
  uint16_t slot = 0;
  AccessMode mode = AccessMode::kLoad;
  uint8_t shift = kOddWidth;  // of the width, if a cell can have it
  bool guarded = false;
};

struct SuperblockPlan {
  static constexpr uint32_t kNoEpoch = ~uint32_t{0};

  std::span<const Access> accesses;
  std::span<const SpChange> sp_changes;
  std::vector<Op> ops;            // one for each access
  std::vector<uint8_t> is_group;  // by access: the first of an instruction's that may overlap and are not all loads
  CodeIndex code = 0;             // of the entry
  uint8_t flags = 0;              // SuperblockFlags
  SiteIndex sites = 0;            // of the first access
  SiteIndex lazy_sites = 0;       // the same in lazy binding; 0: not made yet

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
  uint16_t accesses = 0;
  uint16_t sp_changes = 0;
  bool jumps = false;
  bool straight = false;  // accesses, no SP change, no groups
  CodeIndex last = 0;     // the last instruction executed
};

class Plans {
 public:
  Plans(const BlockTable& blocks, CodeTable& codes, Actors& actors, bool rounded)
      : blocks_(blocks), codes_(codes), actors_(actors), rounded_(rounded) {}

  const BlockPlan& block(BlockId id) {
    if (id.value < block_plans_.size() && block_plans_[id.value].superblock) return block_plans_[id.value];
    return make_block(id);
  }
  SiteIndex lazy_sites(SuperblockPlan& plan);
  // Precedents that hold from `epoch` on: none yet.
  void start_precedents(SuperblockPlan& plan, uint32_t epoch);
  // The actors of former executions are no longer valid.
  void forget_actors();
  size_t bytes() const { return bytes_; }

 private:
  const BlockPlan& make_block(BlockId id);
  SuperblockPlan& superblock(SuperblockId id);
  SiteIndex add_sites(const Superblock& sb);
  void plan_instruction(const Superblock& sb, size_t first, size_t end, SuperblockPlan& plan) const;
  bool is_straight(const SuperblockPlan& p, const Exit& exit) const;
  bool surely_apart(const Access& a, const Access& b) const;

  const BlockTable& blocks_;
  CodeTable& codes_;
  Actors& actors_;
  bool rounded_;  // addresses are: what lies apart may come to overlap
  std::vector<BlockPlan> block_plans_;
  std::vector<std::unique_ptr<SuperblockPlan>> superblocks_;
  std::vector<Site> scratch_;
  size_t bytes_ = 0;
};

}  // namespace cdr::depend

#endif
