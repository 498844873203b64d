// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/spin_loops.h"

namespace cdr::races {

namespace {

// Numbers of loops in superblocks that cannot be read.
constexpr uint32_t kUnread = 0x80000000;

std::optional<uint16_t> insn_at(const Superblock& sb, uint64_t addr) {
  for (size_t i = 0; i < sb.insns.size(); ++i)
    if (sb.insn_addr(static_cast<uint32_t>(i)) == addr) return static_cast<uint16_t>(i);
  return std::nullopt;
}

// Whether instructions [first, last] only look at memory whose address is constant.
bool only_waits(const Superblock& sb, uint16_t first, uint16_t last) {
  bool loads = false;
  for (const Access& a : sb.accesses) {
    if (a.insn < first || a.insn > last) continue;
    if (a.store() || a.guarded() || a.slot != 0) return false;
    loads = true;
  }
  for (const SpChange& c : sb.sp_changes)
    if (c.insn >= first && c.insn <= last) return false;
  return loads;
}

bool is_conditional(const Exit& e) { return e.guard == ExitGuard::kCondition && e.insns != 0; }

}  // namespace

void SpinLoops::find(SuperblockId id) {
  if (!loops_) loops_.emplace(blocks_, facts_, without_);
  const Superblock& sb = blocks_.superblock(id);
  Code& to = codes_[id.value];
  to.known = true;
  if (sb.module.value < without_.size() && without_[sb.module.value]) return;
  for (uint16_t i = 0; i < sb.insns.size(); ++i)
    if (const uint32_t loop = loops_->flag_of({sb.module, sb.insn_addr(i)})) to.flags.emplace_back(i, loop);
  for (uint16_t i = 0; taken_ && i < sb.insns.size(); ++i)
    if (told_.count({sb.module, sb.insn_addr(i)})) {
      to.flags.emplace_back(i, kInKernel);
      to.told.push_back(i);
    }
  for (uint16_t x = 0; x < sb.exits.size(); ++x)
    if (is_conditional(sb.exits[x]))
      if (const auto* way = loops_->way_out({sb.module, exit_addr(sb, sb.exits[x])}))
        to.ways.push_back({x, way->out, {way->loop, way->waits}});
  if (!sb.insns.empty() && !loops_->can_read({sb.module, sb.addr})) find_unread(sb, kUnread | id.value, to);
}

void SpinLoops::find_unread(const Superblock& sb, uint32_t number, Code& to) {
  for (const Exit& e : sb.exits) {
    if (!e.target || e.insns == 0 || (e.kind != ExitKind::kBranch && e.kind != ExitKind::kFallThrough)) continue;
    const auto first = insn_at(sb, e.target);
    const auto last = static_cast<uint16_t>(e.insns - 1);
    if (!first || *first > last || !only_waits(sb, *first, last)) continue;
    // Without a condition in the loop it is not left.
    for (uint16_t x = 0; x < sb.exits.size(); ++x) {
      const Exit& c = sb.exits[x];
      if (!is_conditional(c) || c.insns > e.insns || c.insns <= *first) continue;
      const uint64_t behind = sb.insn_addr(c.insns - 1u) + sb.insns[c.insns - 1u].length;
      to.ways.push_back({x, c.target == e.target ? behind : c.target, {number, true}});
    }
    for (uint16_t i = *first; i <= last; ++i) to.flags.emplace_back(i, number);
  }
}

SpinLoops::Left SpinLoops::left_by(BlockId id) {
  if (!on_) return {};
  const Block& b = blocks_.block(id);
  Left left;
  for (const WayOut& w : code(b.superblock).ways)
    if (next_after(blocks_.superblock(b.superblock), w.exit, b.exit) == w.out) left = w.left;
  return left;
}

}  // namespace cdr::races
