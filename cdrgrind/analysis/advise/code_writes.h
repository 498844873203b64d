// SPDX-License-Identifier: GPL-2.0-or-later
// Registers that a function leaves alone, by its code and that of all it calls. Compilers know it of functions of the
// same file, and keep values in such registers while they call them (gcc's -fipa-ra).
#ifndef CDRGRIND_ANALYSIS_ADVISE_CODE_WRITES_H
#define CDRGRIND_ANALYSIS_ADVISE_CODE_WRITES_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/machine_insn.h"

namespace cdr::advise {

class CodeWrites {
 public:
  // The arguments must outlive it.
  CodeWrites(regions::CodeLoops& loops, regions::InsnTable& insns) : loops_(loops), insns_(insns) {}

  // Of the function that the instruction calls; none if not all of the code is known.
  regions::RegisterSet left_alone_by(CodeAddr call);

 private:
  // What the code of one function writes, and where it calls others.
  struct Code {
    bool known = false;
    regions::RegisterSet writes = 0;
    std::vector<uint64_t> calls;
  };
  const Code& code_of(CodeAddr entry);
  bool add_target(CodeAddr call, std::vector<uint64_t>& targets);

  regions::CodeLoops& loops_;
  regions::InsnTable& insns_;
  std::unordered_map<uint64_t, Code> codes_;                    // by entry
  std::unordered_map<uint64_t, regions::RegisterSet> written_;  // the same with those that are called
};

}  // namespace cdr::advise

#endif
