// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/lowered_block.h"

#include <algorithm>
#include <bit>

namespace cdr::depend {

// SP relative to the entry at the instruction, as far as it is constant; where it is not, memory.cc sees that
// the context's SP is wrong and takes another context.
SiteIndex LoweredBlocks::add_sites(const Superblock& sb) {
  scratch_.clear();
  int64_t before = 0;
  size_t change = 0;
  const auto constant = [&](size_t i) {
    return sb.sp_changes[i].slot == SpChange::kSpAtEntry ? sb.sp_changes[i].constant : 0;
  };
  for (const Access& a : sb.accesses) {
    for (; change < sb.sp_changes.size() && sb.sp_changes[change].insn < a.insn; ++change) before = constant(change);
    int64_t after = before;
    for (size_t i = change; i < sb.sp_changes.size() && sb.sp_changes[i].insn == a.insn; ++i) after = constant(i);
    Site s;
    s.code = codes_.intern({sb.module, sb.insn_addr(a.insn)});
    s.sp_delta = static_cast<int32_t>(std::min(before, after));
    s.flags = static_cast<uint8_t>((a.store() ? kSiteStore : 0) | (a.flags & kAccessLinkage ? kSiteLinkage : 0));
    scratch_.push_back(s);
  }
  bytes_ += scratch_.size() * sizeof(Site);
  return contexts_.add_sites(scratch_);
}

bool LoweredBlocks::surely_apart(const Access& a, const Access& b) const {
  if (rounded_ || a.slot != b.slot) return false;
  return a.constant + a.width <= b.constant || b.constant + b.width <= a.constant;
}

bool LoweredBlocks::may_overlap(std::span<const Access> a) const {
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = i + 1; j < a.size(); ++j)
      if ((a[i].store() || a[j].store()) && !surely_apart(a[i], a[j])) return true;
  return false;
}

Op LoweredBlocks::access_op(const Access& a) const {
  Op op;
  op.constant = static_cast<uint64_t>(a.constant);
  op.slot = a.slot;
  op.count = std::max<uint16_t>(a.width, 1);  // none is 0 but in a damaged trace (verify says so)
  op.kind = a.store() ? OpKind::kStore : OpKind::kLoad;
  op.guarded = a.guarded();
  if (!rounded_ && std::has_single_bit(a.width) && a.width <= Line::kBytes)
    op.shift = static_cast<uint8_t>(std::countr_zero(a.width));
  op.quick = op.shift != Op::kOddWidth && !op.guarded;
  return op;
}

// A load whose bytes the instruction then stores to need not join the readers, and makes no group.
void LoweredBlocks::add_instruction(std::span<const Access> a, const SpChange* change, std::vector<Op>& ops) const {
  const bool overwrites = a.size() == 2 && !a[0].store() && a[1].store() && a[0].slot == a[1].slot &&
                          a[0].constant == a[1].constant && a[0].width == a[1].width && !a[1].guarded();
  const bool group = !overwrites && may_overlap(a);
  if (change) {
    Op op;
    op.kind = OpKind::kSp;
    op.constant = static_cast<uint64_t>(change->constant);
    op.slot = change->slot;
    op.count = static_cast<uint16_t>(a.size() + (group ? 1 : 0));
    ops.push_back(op);
  }
  if (group) {
    Op op;
    op.kind = OpKind::kGroup;
    op.count = static_cast<uint16_t>(a.size());
    ops.push_back(op);
  }
  for (const Access& access : a) ops.push_back(access_op(access));
  if (overwrites) ops[ops.size() - 2].kind = OpKind::kLoadOnly;
}

// Instruction by instruction; of several SP changes in one only the last counts.
void LoweredBlocks::add_ops(const Superblock& sb, size_t accesses, size_t sp_changes, std::vector<Op>& ops) const {
  const auto all = sb.accesses.first(sb.flags & kBlockShim ? 0 : accesses);
  size_t access = 0;
  size_t sp = 0;
  while (access < all.size() || sp < sp_changes) {
    const uint32_t insn = std::min<uint32_t>(access < all.size() ? all[access].insn : UINT32_MAX,
                                             sp < sp_changes ? sb.sp_changes[sp].insn : UINT32_MAX);
    const size_t first = access;
    const SpChange* change = nullptr;
    while (access < all.size() && all[access].insn == insn) ++access;
    while (sp < sp_changes && sb.sp_changes[sp].insn == insn) change = &sb.sp_changes[sp++];
    add_instruction(all.subspan(first, access - first), change, ops);
  }
}

LoweredSuperblock& LoweredBlocks::superblock(SuperblockId id) {
  if (id.value >= superblocks_.size()) superblocks_.resize(id.value + 1);
  std::unique_ptr<LoweredSuperblock>& known = superblocks_[id.value];
  if (known) return *known;
  known = std::make_unique<LoweredSuperblock>();
  LoweredSuperblock& p = *known;
  const Superblock& sb = blocks_.superblock(id);
  p.accesses = static_cast<uint32_t>(sb.accesses.size());
  p.code = codes_.intern({sb.module, sb.addr});
  p.flags = sb.flags;
  p.sites = add_sites(sb);
  add_ops(sb, sb.accesses.size(), sb.sp_changes.size(), p.ops);
  bytes_ += sizeof p + p.ops.capacity() * sizeof(Op);
  return p;
}

const LoweredBlock& LoweredBlocks::make_block(BlockId id) {
  if (id.value >= lowered_.size()) lowered_.resize(id.value + 1);
  const Exit& exit = blocks_.exit_of(id);
  const Superblock& sb = blocks_.superblock_of(id);
  LoweredBlock& p = lowered_[id.value];
  p.superblock = &superblock(blocks_.block(id).superblock);
  p.accesses = sb.flags & kBlockShim ? 0 : exit.accesses;
  p.jumps = is_jump(exit.kind);
  if (exit.insns_executed() != 0) p.last = codes_.intern({sb.module, sb.insn_addr(exit.insns_executed() - 1)});
  const auto ops = part_of(sb, exit.accesses, exit.sp_changes);
  p.plain = std::all_of(ops.begin(), ops.end(), [](const Op& op) { return op.quick; });
  const std::vector<Op>& whole = p.superblock->ops;
  const bool first = ops.size() <= whole.size() && std::equal(ops.begin(), ops.end(), whole.begin());
  if (!first) bytes_ += own_ops_.emplace_back(ops.begin(), ops.end()).capacity() * sizeof(Op);
  p.ops = first ? whole.data() : own_ops_.back().data();
  p.op_count = static_cast<uint32_t>(ops.size());
  bytes_ += sizeof p;
  return p;
}

SiteIndex LoweredBlocks::lazy_sites(LoweredSuperblock& lowered) {
  if (lowered.lazy_sites == 0) {
    scratch_.clear();
    for (size_t i = 0; i < lowered.accesses; ++i) {
      scratch_.push_back(contexts_.program_site(lowered.sites + static_cast<SiteIndex>(i)));
      scratch_.back().flags |= kSiteLazy;
    }
    lowered.lazy_sites = contexts_.add_sites(scratch_);
  }
  return lowered.lazy_sites;
}

void LoweredBlocks::start_inline_caches(LoweredSuperblock& lowered, uint32_t version, RowTable& row_table) {
  if (lowered.inline_caches) {
    for (size_t i = 0; i < lowered.accesses; ++i) lowered.inline_caches[i].count_in(row_table);
  } else {
    lowered.inline_caches = std::make_unique<InlineCache[]>(lowered.accesses);
    bytes_ += lowered.accesses * sizeof(InlineCache);
  }
  std::fill_n(lowered.inline_caches.get(), lowered.accesses, InlineCache{});
  lowered.version = version;
}

void LoweredBlocks::count_inline_caches(RowTable& row_table) {
  for (const auto& p : superblocks_)
    if (p && p->inline_caches)
      for (size_t i = 0; i < p->accesses; ++i) p->inline_caches[i].count_in(row_table);
}

void LoweredBlocks::forget_contexts() {
  for (const auto& p : superblocks_)
    if (p) p->node = 0;
}

}  // namespace cdr::depend
