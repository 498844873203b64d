// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/both_counts.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace cdr::races {

namespace {

constexpr int64_t kTwoOfOne = 0x100000001;
constexpr size_t kFurthest = 16;  // instructions from the load to the compare
constexpr size_t kMostSuperblocks = 1024;
// RAX, RCX, RDX, RSI, RDI, R8 … R11
constexpr Registers kLostInCalls = 0x0fc7;

bool moves(const InsnEffects& e) { return e.is_plain_load && e.width == BothCounts::kWidth; }
bool sets_two_of_one(const InsnEffects& e) {
  return moves(e) && e.loads.empty() && e.reads == 0 && e.immediate == kTwoOfOne;
}
bool is_slot(const MemoryOperand& m) { return m.index == 0 && (m.base == kRsp || m.base == kRbp); }

// Where what was loaded stands.
struct Copies {
  Registers registers = 0;
  std::vector<MemoryOperand> slots;

  bool has(const MemoryOperand& m) const { return std::find(slots.begin(), slots.end(), m) != slots.end(); }
  bool are_moved(const InsnEffects& e) const {
    return moves(e) && (e.loads.empty() ? e.reads != 0 && (e.reads & ~registers) == 0 : has(e.loads[0]));
  }
  void follow(const InsnEffects& e) {
    const bool moved = are_moved(e);
    registers = moved ? registers | e.writes : registers & ~e.writes;
    for (const MemoryOperand& m : e.stores) {
      std::erase(slots, m);
      if (moved && is_slot(m)) slots.push_back(m);
    }
  }
  // What they are compared with.
  Registers compared_with(const InsnEffects& e) const {
    if (!e.loads.empty()) return has(e.loads[0]) ? e.reads : 0;
    return (e.reads & registers) ? e.reads & ~registers : 0;
  }
};

}  // namespace

bool BothCounts::are_loaded_by(SuperblockId sb, uint16_t insn) {
  if (!reader_) reader_.emplace(facts_);
  const Superblock& s = blocks_.superblock(sb);
  const auto load = effects(s, insn);
  if (!load || load->loads.size() != 1) return false;
  if (load->compares) return are_two_of_one(sb, insn, load->reads);
  if (!moves(*load)) return false;
  Copies copies{load->writes, {}};
  const size_t end = std::min<size_t>(s.insns.size(), insn + kFurthest);
  for (size_t i = insn + size_t{1}; i < end; ++i) {
    const auto e = effects(s, i);
    if (!e || e->calls) return false;
    if (const Registers with = e->compares ? copies.compared_with(*e) : 0) return are_two_of_one(sb, i, with);
    copies.follow(*e);
  }
  return false;
}

// Whether the register is set so on all ways to the place, as far as they were executed.
bool BothCounts::are_two_of_one(SuperblockId sb, size_t insns, Registers reg) {
  if (!std::has_single_bit(reg)) return false;
  std::vector<std::pair<SuperblockId, size_t>> open = {{sb, insns}};
  std::vector<SuperblockId> done;
  while (!open.empty()) {
    const auto [id, until] = open.back();
    open.pop_back();
    const Superblock& s = blocks_.superblock(id);
    bool is_set = false;
    for (size_t i = until; i > 0 && !is_set; --i) {
      const auto e = effects(s, i - 1);
      if (!e || (e->calls && (reg & kLostInCalls))) return false;
      is_set = e->writes & reg;
      if (is_set && !sets_two_of_one(*e)) return false;
    }
    if (is_set || std::find(done.begin(), done.end(), id) != done.end()) continue;
    done.push_back(id);
    if (ways_to_.empty()) find_ways();
    const auto [first, last] = ways_to_.equal_range(s.addr);
    bool any = false;
    for (auto w = first; w != last; ++w)
      if (blocks_.superblock(w->second.superblock).module == s.module) {
        open.emplace_back(w->second.superblock, w->second.insns);
        any = true;
      }
    if (!any || done.size() > kMostSuperblocks) return false;
  }
  return true;
}

// Calls lead to what stands behind them.
void BothCounts::find_ways() {
  for (uint32_t id = 1; id <= blocks_.superblock_count(); ++id) {
    const Superblock& s = blocks_.superblock(SuperblockId(id));
    for (const Exit& e : s.exits) {
      if (e.insns == 0) continue;
      const uint64_t behind = s.insn_addr(e.insns - 1u) + s.insns[e.insns - 1u].length;
      if (const uint64_t to = is_call(e.kind) ? behind : e.target)
        ways_to_.emplace(to, Before{SuperblockId(id), e.insns});
    }
  }
}

}  // namespace cdr::races
