// SPDX-License-Identifier: GPL-2.0-or-later
// Registers that an iteration of the machine fills behind its last way out, for the next one alone, and from nothing
// but inductions, numbers and what the loop does not change: compilers that know what the source's first statement
// makes in the first iteration put that statement's code to the end of the loop. The next iteration could make it
// itself.
//
//  1: mov  [rsp+8],r8          seed = skip(2 * i), of which only the first was known
//     ...
//     add  r9,2
//     cmp  r9,r11 ; je out     the last way out
//     mov  rdx,r9
//     ...                      r8 = skip(r9), whatever branches and loops that takes
//     jmp  1b
//
// What the source itself hands on to its next iteration it makes in the last one, too, if it is in memory. Found by
// going over that end of the loop until nothing changes, with the registers that follow from something else, and the
// branches that these decide (Denning and Denning 1977).
#ifndef CDRGRIND_ANALYSIS_ADVISE_MADE_AHEAD_H
#define CDRGRIND_ANALYSIS_ADVISE_MADE_AHEAD_H

#include <cstdint>
#include <functional>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/machine_insn.h"

namespace cdr::advise {

struct AheadFacts {
  // Registers that are inductions, or made of these, or the same in all iterations, before an instruction.
  std::function<regions::RegisterSet(uint64_t addr)> known_before;
  // Whether it loads what the loop does not store.
  std::function<bool(uint64_t load)> loads_unchanged;
};

// None if it is not one end, which every iteration that goes on comes to, or it does more than fill registers.
regions::RegisterSet made_ahead(const regions::Loop& loop, regions::InsnTable& insns, const AheadFacts& facts);

}  // namespace cdr::advise

#endif
