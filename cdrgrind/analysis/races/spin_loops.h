// SPDX-License-Identifier: GPL-2.0-or-later
// Loops that do nothing but wait for a flag: `while (!f) {}`. Found in the code, so also when they never spun. A
// superblock is one if it jumps back into itself, and what lies between stores nothing, calls nothing, and loads
// only from constant addresses, of which at least one is the flag.
#ifndef CDRGRIND_ANALYSIS_RACES_SPIN_LOOPS_H
#define CDRGRIND_ANALYSIS_RACES_SPIN_LOOPS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/base/block_table.h"

namespace cdr::analysis {

class SpinLoops {
 public:
  // Off: there are none.
  SpinLoops(const BlockTable& blocks, bool on) : blocks_(blocks), on_(on) {}

  // The access is a load of a flag on which a loop of this superblock waits.
  bool is_flag(SuperblockId sb, const Access& a) {
    if (!on_) return false;
    const Loop& l = loop(sb);
    return l.is && !a.store() && a.insn >= l.first && a.insn <= l.last;
  }
  // The block leaves the loop that its superblock is.
  bool leaves(BlockId id);

 private:
  struct Loop {
    bool known = false, is = false;
    uint16_t first = 0, last = 0;  // instructions
    uint16_t exit = 0;             // the way back
  };
  const Loop& loop(SuperblockId sb) {
    if (sb.value >= loops_.size()) loops_.resize(sb.value + 1);
    Loop& l = loops_[sb.value];
    if (!l.known) find(blocks_.superblock(sb), l);
    return l;
  }
  static void find(const Superblock& sb, Loop& l);

  const BlockTable& blocks_;
  bool on_;
  std::vector<Loop> loops_;  // by superblock
};

}  // namespace cdr::analysis

#endif
