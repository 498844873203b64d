// SPDX-License-Identifier: GPL-2.0-or-later
// Which registers may still be read behind an instruction (Kildall 1973), within a loop or a function: what a loop
// leaves in registers when it ends is not asked for. And who reads flags. What calls read and functions give back is
// taken from the run.
#ifndef CDRGRIND_ANALYSIS_ADVISE_LIVENESS_H
#define CDRGRIND_ANALYSIS_ADVISE_LIVENESS_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/contexts.h"
#include "cdrgrind/analysis/regions/library_names.h"
#include "cdrgrind/analysis/regions/machine_insn.h"

namespace cdr::advise {

// What functions of the program were seen to read and to give back.
class CallRegisters {
 public:
  CallRegisters(const regions::Contexts& contexts, regions::LibraryNames& names);
  // That what is called at the instruction reads of its caller; of a library, but for functions that keep nothing for
  // everybody (libm's): all that it may.
  regions::RegisterSet arguments_at(uint64_t call) const;
  // That callers have read as what was called at the instruction left them; all, if nothing was.
  regions::RegisterSet results_at(uint64_t call) const;
  // That callers of the function entered there read.
  regions::RegisterSet results_of(uint64_t function) const;

 private:
  std::unordered_map<uint64_t, regions::RegisterSet> arguments_, results_at_, results_;
};

class Liveness {
 public:
  // Of a loop.
  Liveness(const regions::Loop& loop, const CallRegisters& calls, regions::InsnTable& insns);
  // Of a whole function.
  Liveness(CodeAddr entry, const slice::InsnGraph& graph, const CallRegisters& calls, regions::InsnTable& insns);

  // What may be read after the instruction was executed; of a call: before the function that it calls begins. All, of
  // an instruction that is not there.
  regions::RegisterSet behind(uint64_t addr) const;
  // Of which the lowest byte may be read before it is written, from the instruction on.
  regions::RegisterSet low_before(uint64_t addr) const;

 private:
  struct Insn {
    std::vector<uint64_t> next;
    regions::RegisterSet before = 0, low_before = 0;  // all but the lowest byte, and that
  };
  void solve(ModuleId module, regions::RegisterSet at_return, const CallRegisters& calls, regions::InsnTable& insns);

  std::unordered_map<uint64_t, Insn> insns_;
  std::unordered_map<uint64_t, regions::RegisterSet> behind_;
};

// The instructions of the loop that may read the flags which the instruction leaves.
std::vector<uint64_t> flag_readers(const regions::Loop& loop, uint64_t addr, regions::InsnTable& insns);

}  // namespace cdr::advise

#endif
