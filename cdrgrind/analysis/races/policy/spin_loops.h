// SPDX-License-Identifier: GPL-2.0-or-later
// Loops that do nothing but wait for a flag, superblock by superblock: which loads are of flags, which blocks leave a
// loop. waiting_loops.h finds the loops. Where code cannot be read, a superblock is one if it jumps back into itself,
// and what lies between stores nothing, calls nothing, and loads from constant addresses only. Loads in loops that wait
// by a system call are not found here but told (futex_waits.h).
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_SPIN_LOOPS_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_SPIN_LOOPS_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "cdrgrind/analysis/races/policy/waiting_loops.h"
#include "cdrgrind/base/block_table.h"

namespace cdr::races {

class SpinLoops {
 public:
  // Off: there are none. In the modules in `without` none are looked for.
  SpinLoops(const BlockTable& blocks, CodeFacts& facts, const std::vector<bool>& without, bool on)
      : blocks_(blocks), facts_(facts), without_(without), on_(on) {}

  // Whether is_flag() or is_told() may hold for any access of it.
  bool any_in(SuperblockId sb) {
    if (!on_) return false;
    const Code& c = code(sb);
    return !c.flags.empty() || !c.told.empty();
  }
  // The access is a load of a flag for which a loop waits.
  bool is_flag(SuperblockId sb, const Access& a) { return loop_of(sb, a) != 0; }
  // The same: the number of the loop, 0 if there is none.
  uint32_t loop_of(SuperblockId sb, const Access& a) {
    if (!on_ || a.store()) return 0;
    for (const auto& [insn, loop] : code(sb).flags)
      if (insn == a.insn) return loop;
    return 0;
  }

  // The loop waits by a system call: which way leaves it is not known.
  static bool waits_in_kernel(uint32_t loop) { return loop == kInKernel; }
  // The instruction loads a word on which its loop waits by a system call. Counts after take_told(), once.
  void tell(CodeAddr load) {
    if (on_ && !taken_) told_.insert(load);
  }
  bool is_told(SuperblockId sb, const Access& a) {
    if (!taken_ || told_.empty() || a.store()) return false;
    const auto& told = code(sb).told;
    return std::find(told.begin(), told.end(), a.insn) != told.end();
  }
  // Whether anything was told.
  bool take_told() {
    taken_ = true;
    if (!told_.empty()) codes_.clear();
    return !told_.empty();
  }

  struct Left {
    uint32_t loop = 0;   // 0: none
    bool waited = true;  // left because of its flags
  };
  Left left_by(BlockId id);

 private:
  static constexpr uint32_t kInKernel = 0x40000000;
  struct WayOut {
    uint16_t exit = 0;
    uint64_t out = 0;
    Left left;
  };
  struct Code {
    bool known = false;
    std::vector<std::pair<uint16_t, uint32_t>> flags;  // instruction, loop
    std::vector<uint16_t> told;                        // instructions
    std::vector<WayOut> ways;
  };
  const Code& code(SuperblockId id) {
    if (id.value >= codes_.size()) codes_.resize(id.value + 1);
    if (!codes_[id.value].known) find(id);
    return codes_[id.value];
  }
  void find(SuperblockId id);
  static void find_unread(const Superblock& sb, uint32_t number, Code& to);

  const BlockTable& blocks_;
  CodeFacts& facts_;
  const std::vector<bool>& without_;
  bool on_;
  std::optional<WaitingLoops> loops_;  // made when first asked
  std::vector<Code> codes_;            // by superblock
  std::set<CodeAddr> told_;
  bool taken_ = false;
};

}  // namespace cdr::races

#endif
