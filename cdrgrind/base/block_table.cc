// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/base/block_table.h"

#include <algorithm>

namespace cdr {

Executed executed_before(const Superblock& sb, uint64_t ip) {
  Executed done;
  while (done.insns < sb.insns.size() && sb.insn_addr(done.insns) < ip) ++done.insns;
  for (const Access& a : sb.accesses) {
    if (a.insn >= done.insns) break;
    ++done.accesses;
    done.words = std::max(done.words, a.slot);
  }
  for (const SpChange& c : sb.sp_changes) {
    if (c.insn >= done.insns) break;
    ++done.sp_changes;
    if (c.slot != SpChange::kSpAtEntry) done.words = std::max(done.words, c.slot);
  }
  return done;
}

}  // namespace cdr
