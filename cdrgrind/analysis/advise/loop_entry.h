// SPDX-License-Identifier: GPL-2.0-or-later
// What registers hold where a loop is entered, as far as one straight way in the code leads there: what was loaded
// there has the amount that the loop's instructions find (insn_steps.h) if they load from the same place, through
// whatever was loaded, too. Compilers keep such a value until it might have been stored anew, and load it again then:
//
//     mov rax,[rdi+24]         rbx is rdi's copy
//  1: …                        rax is [rbx+24]
//     call f
//     mov rax,[rbx+24]
//     cmp [rax+12],r12 ; jg 1b
#ifndef CDRGRIND_ANALYSIS_ADVISE_LOOP_ENTRY_H
#define CDRGRIND_ANALYSIS_ADVISE_LOOP_ENTRY_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/machine_insn.h"
#include "cdrgrind/analysis/slice/function_graphs.h"

namespace cdr::advise {

class LoopEntry {
 public:
  // `function`: the loop's.
  LoopEntry(const regions::Loop& loop, const slice::InsnGraph& function, regions::InsnTable& insns);
  // Of what the register holds that was loaded; `constant`: registers that the loop does not write.
  std::optional<uint64_t> loaded_amount(uint8_t reg, regions::RegisterSet constant) const;

 private:
  using Symbol = uint32_t;  // values that are the same have the same; 0: none
  struct Load {
    regions::Operand from;
    uint32_t insn = 0, stores = 0;
    Symbol base = 0, index = 0;
    bool operator==(const Load&) const = default;
  };

  static std::vector<uint64_t> way_to(const regions::Loop& loop, const slice::InsnGraph& function);
  void execute(const regions::MachineInsn& m);
  Symbol of(uint8_t reg) const;
  Symbol loaded(const regions::MachineInsn& m);
  std::optional<uint64_t> amount_of(Symbol s, regions::RegisterSet constant) const;

  std::array<Symbol, regions::kFirstVector> registers_ = {};
  std::map<Symbol, Load> loads_;
  Symbol symbols_ = 0;
  uint32_t stores_ = 0;
};

}  // namespace cdr::advise

#endif
