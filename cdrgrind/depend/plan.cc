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

void Plans::plan_instruction(const Superblock& sb, size_t first, size_t end, SuperblockPlan& plan) const {
  const Access* const a = &sb.accesses[first];
  const size_t count = end - first;
  if (count == 2 && !a[0].store() && a[1].store() && a[0].slot == a[1].slot && a[0].constant == a[1].constant &&
      a[0].width == a[1].width && !a[1].guarded()) {
    plan.ops[first].mode = AccessMode::kLoadOnly;
    return;
  }
  for (size_t i = 0; i < count; ++i)
    for (size_t j = i + 1; j < count; ++j)
      if ((a[i].store() || a[j].store()) && !surely_apart(a[i], a[j])) plan.is_group[first] = 1;
}

SuperblockPlan& Plans::superblock(SuperblockId id) {
  if (id.value >= superblocks_.size()) superblocks_.resize(id.value + 1);
  std::unique_ptr<SuperblockPlan>& known = superblocks_[id.value];
  if (known) return *known;
  known = std::make_unique<SuperblockPlan>();
  SuperblockPlan& p = *known;
  const Superblock& sb = blocks_.superblock(id);
  p.accesses = sb.accesses;
  p.sp_changes = sb.sp_changes;
  p.code = codes_.intern({sb.module, sb.addr});
  p.flags = sb.flags;
  p.sites = add_sites(sb);
  for (const Access& a : sb.accesses) {
    const bool fits = std::has_single_bit(a.width) && a.width <= Line::kBytes;
    p.ops.push_back({static_cast<uint64_t>(a.constant), a.width, a.slot,
                     a.store() ? AccessMode::kStore : AccessMode::kLoad,
                     fits ? static_cast<uint8_t>(std::countr_zero(a.width)) : Op::kOddWidth, a.guarded()});
  }
  p.is_group.resize(p.ops.size());
  for (size_t first = 0, end; first < p.ops.size(); first = end) {
    for (end = first + 1; end < p.ops.size() && sb.accesses[end].insn == sb.accesses[first].insn;) ++end;
    plan_instruction(sb, first, end, p);
  }
  bytes_ += sizeof p + p.ops.size() * (sizeof(Op) + 1);
  return p;
}

// An exit in the middle of an instruction may cut off the store that overwrites what a load has read.
bool Plans::is_straight(const SuperblockPlan& p, const Exit& exit) const {
  const size_t n = exit.accesses;
  if (n != 0 && !p.sp_changes.empty() && p.sp_changes[0].insn <= p.accesses[n - 1].insn) return false;
  if (rounded_ || n == 0 || exit.sp_changes != 0 || (p.flags & kBlockShim)) return false;
  if (std::find(p.is_group.begin(), p.is_group.end(), 1) != p.is_group.end()) return false;
  return p.ops[n - 1].mode != AccessMode::kLoadOnly;
}

const BlockPlan& Plans::make_block(BlockId id) {
  if (id.value >= block_plans_.size()) block_plans_.resize(id.value + 1);
  const Exit& exit = blocks_.exit_of(id);
  const Superblock& sb = blocks_.superblock_of(id);
  BlockPlan& p = block_plans_[id.value];
  p.superblock = &superblock(blocks_.block(id).superblock);
  p.accesses = exit.accesses;
  p.sp_changes = exit.sp_changes;
  p.jumps = is_jump(exit.kind);
  p.straight = is_straight(*p.superblock, exit);
  if (exit.insns_executed() != 0) p.last = codes_.intern({sb.module, sb.insn_addr(exit.insns_executed() - 1)});
  bytes_ += sizeof p;
  return p;
}

SiteIndex Plans::lazy_sites(SuperblockPlan& plan) {
  if (plan.lazy_sites == 0) {
    scratch_.clear();
    for (size_t i = 0; i < plan.accesses.size(); ++i) {
      scratch_.push_back(actors_.program_site(plan.sites + static_cast<SiteIndex>(i)));
      scratch_.back().flags |= kSiteLazy;
    }
    plan.lazy_sites = actors_.add_sites(scratch_);
  }
  return plan.lazy_sites;
}

void Plans::start_precedents(SuperblockPlan& plan, uint32_t epoch) {
  if (!plan.precedents) {
    plan.precedents = std::make_unique<Precedent[]>(plan.ops.size());
    bytes_ += plan.ops.size() * sizeof(Precedent);
  }
  std::fill_n(plan.precedents.get(), plan.ops.size(), Precedent{});
  plan.epoch = epoch;
}

void Plans::forget_actors() {
  for (const auto& p : superblocks_)
    if (p) p->node = 0;
}

}  // namespace cdr::depend
