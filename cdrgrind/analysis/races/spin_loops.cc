// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/spin_loops.h"

#include <optional>

namespace cdr::analysis {

namespace {

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

}  // namespace

void SpinLoops::find(const Superblock& sb, Loop& l) {
  l.known = true;
  for (size_t x = 0; x < sb.exits.size(); ++x) {
    const Exit& e = sb.exits[x];
    if (!e.target || e.insns == 0 || (e.kind != ExitKind::kBranch && e.kind != ExitKind::kFallThrough)) continue;
    const auto first = insn_at(sb, e.target);
    const auto last = static_cast<uint16_t>(e.insns - 1);
    // Without a condition in the loop it is not left.
    bool conditional = false;
    for (const Exit& c : sb.exits) conditional |= c.guard == ExitGuard::kCondition && c.insns <= e.insns;
    if (!first || *first > last || !conditional || !only_waits(sb, *first, last)) continue;
    l.is = true;
    l.first = *first;
    l.last = last;
    l.exit = static_cast<uint16_t>(x);
  }
}

bool SpinLoops::leaves(BlockId id) {
  if (!on_) return false;
  const Block& b = blocks_.block(id);
  const Loop& l = loop(b.superblock);
  return l.is && b.exit != l.exit && blocks_.exit_of(id).insns > l.first;
}

}  // namespace cdr::analysis
