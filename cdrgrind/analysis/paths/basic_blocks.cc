// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/paths/basic_blocks.h"

#include "cdrgrind/trace/read/replay.h"

namespace cdr::paths {

uint32_t BasicBlocks::find(const Event& e) {
  const trace::Extent done = trace::extent_of(e, blocks_);
  const bool shim = done.superblock->flags & kBlockShim;
  const uint32_t number = shim ? kShim : intern(blocks_.block(e.block).superblock, done.insns);
  if (e.kind != EventKind::kBlock) return number;
  if (e.block.value >= numbers_.size()) numbers_.resize(e.block.value + 1, kUnknown);
  return numbers_[e.block.value] = number;
}

uint32_t BasicBlocks::intern(SuperblockId id, uint32_t insns) {
  const Superblock& sb = blocks_.superblock(id);
  const uint64_t last = insns == 0 ? sb.addr : sb.insn_addr(insns - 1);
  const auto [number, added] = index_.insert({sb.addr, last, sb.module.value, insns});
  if (added) {
    list_.push_back({id, insns});
    *number = size();
  }
  return *number - 1;
}

}  // namespace cdr::paths
