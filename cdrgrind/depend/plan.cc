// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/plan.h"

#include <algorithm>
#include <bit>

namespace cdr::depend {

// SP relative to the entry at the instruction, as far as it is constant; where it is not, memory.cc sees that
// the actor's SP is wrong and takes another actor.
SiteIndex Plans::add_sites(const Superblock& sb) {
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
  return actors_.add_sites(scratch_);
}

bool Plans::surely_apart(const Access& a, const Access& b) const {
  if (rounded_ || a.slot != b.slot) return false;
  return a.constant + a.width <= b.constant || b.constant + b.width <= a.constant;
}

bool Plans::may_overlap(std::span<const Access> a) const {
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = i + 1; j < a.size(); ++j)
      if ((a[i].store() || a[j].store()) && !surely_apart(a[i], a[j])) return true;
  return false;
}

Op Plans::access_op(const Access& a) const {
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
void Plans::add_instruction(std::span<const Access> a, const SpChange* change, std::vector<Op>& ops) const {
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
void Plans::add_ops(const Superblock& sb, size_t accesses, size_t sp_changes, std::vector<Op>& ops) const {
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

SuperblockPlan& Plans::superblock(SuperblockId id) {
  if (id.value >= superblocks_.size()) superblocks_.resize(id.value + 1);
  std::unique_ptr<SuperblockPlan>& known = superblocks_[id.value];
  if (known) return *known;
  known = std::make_unique<SuperblockPlan>();
  SuperblockPlan& p = *known;
  const Superblock& sb = blocks_.superblock(id);
  p.accesses = static_cast<uint32_t>(sb.accesses.size());
  p.code = codes_.intern({sb.module, sb.addr});
  p.flags = sb.flags;
  p.sites = add_sites(sb);
  add_ops(sb, sb.accesses.size(), sb.sp_changes.size(), p.ops);
  bytes_ += sizeof p + p.ops.capacity() * sizeof(Op);
  return p;
}

const BlockPlan& Plans::make_block(BlockId id) {
  if (id.value >= block_plans_.size()) block_plans_.resize(id.value + 1);
  const Exit& exit = blocks_.exit_of(id);
  const Superblock& sb = blocks_.superblock_of(id);
  BlockPlan& p = block_plans_[id.value];
  p.superblock = &superblock(blocks_.block(id).superblock);
  p.accesses = sb.flags & kBlockShim ? 0 : exit.accesses;
  p.jumps = is_jump(exit.kind);
  if (exit.insns_executed() != 0) p.last = codes_.intern({sb.module, sb.insn_addr(exit.insns_executed() - 1)});
  const auto ops = part_of(sb, exit.accesses, exit.sp_changes);
  const std::vector<Op>& whole = p.superblock->ops;
  const bool first = ops.size() <= whole.size() && std::equal(ops.begin(), ops.end(), whole.begin());
  if (!first) bytes_ += own_ops_.emplace_back(ops.begin(), ops.end()).capacity() * sizeof(Op);
  p.ops = first ? whole.data() : own_ops_.back().data();
  p.op_count = static_cast<uint32_t>(ops.size());
  bytes_ += sizeof p;
  return p;
}

SiteIndex Plans::lazy_sites(SuperblockPlan& plan) {
  if (plan.lazy_sites == 0) {
    scratch_.clear();
    for (size_t i = 0; i < plan.accesses; ++i) {
      scratch_.push_back(actors_.program_site(plan.sites + static_cast<SiteIndex>(i)));
      scratch_.back().flags |= kSiteLazy;
    }
    plan.lazy_sites = actors_.add_sites(scratch_);
  }
  return plan.lazy_sites;
}

void Plans::start_precedents(SuperblockPlan& plan, uint32_t epoch, Tally& tally) {
  if (plan.precedents) {
    for (size_t i = 0; i < plan.accesses; ++i) plan.precedents[i].count_in(tally);
  } else {
    plan.precedents = std::make_unique<Precedent[]>(plan.accesses);
    bytes_ += plan.accesses * sizeof(Precedent);
  }
  std::fill_n(plan.precedents.get(), plan.accesses, Precedent{});
  plan.epoch = epoch;
}

void Plans::count_precedents(Tally& tally) {
  for (const auto& p : superblocks_)
    if (p && p->precedents)
      for (size_t i = 0; i < p->accesses; ++i) p->precedents[i].count_in(tally);
}

void Plans::forget_actors() {
  for (const auto& p : superblocks_)
    if (p) p->node = 0;
}

}  // namespace cdr::depend
