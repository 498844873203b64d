// SPDX-License-Identifier: GPL-2.0-or-later
// Registers that a loop reads as the iteration before has left them, though by the calling convention functions may
// change them: those that are called until then do not. Compilers see what a function of the program writes, and keep
// values in what it leaves alone (gcc's -fipa-ra).
#ifndef CDRGRIND_ANALYSIS_ADVISE_KEPT_REGISTERS_H
#define CDRGRIND_ANALYSIS_ADVISE_KEPT_REGISTERS_H

#include <cstdint>
#include <map>
#include <utility>

#include "cdrgrind/analysis/advise/advice.h"

namespace cdr::advise {

class KeptRegisters {
 public:
  KeptRegisters(const regions::Regions& regions, const BlockTable& blocks);
  // By instruction: before it they are what they were when the iteration began, in all but the first; if no iteration
  // comes to it twice.
  std::map<uint64_t, regions::RegisterSet> of(LoopId loop) const;

 private:
  // Of what a superblock, which begins there, reads of the iteration before.
  struct Reads {
    uint64_t count = 0;
    bool by_others = false;  // left by another one than that, or by what is called
  };
  const regions::Regions& regions_;
  std::map<uint32_t, std::map<std::pair<uint64_t, uint8_t>, Reads>> reads_;  // by loop; by instruction and register
};

}  // namespace cdr::advise

#endif
