// SPDX-License-Identifier: GPL-2.0-or-later
// What registers hold where a loop is entered, as far as one straight way in the code leads there: whether that was
// loaded from a place that the loop's instructions load from, too. Compilers keep such a value until it might have been
// stored anew, and load it again then:
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
#include <tuple>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/machine_insn.h"
#include "cdrgrind/analysis/slice/function_graphs.h"

namespace cdr::advise {

class LoopEntry {
 public:
  // `function`: the loop's.
  LoopEntry(const regions::Loop& loop, const slice::InsnGraph& function, regions::InsnTable& insns);
  // Whether the register holds what a load of the loop would load there, by registers that the loop does not write.
  bool holds(uint8_t reg, const regions::MachineInsn& load) const;

 private:
  using Symbol = uint32_t;  // values that are the same have the same; 0: none
  using Place = std::tuple<Symbol, Symbol, uint8_t, int64_t, uint8_t, uint32_t, uint32_t>;

  static std::vector<uint64_t> way_to(const regions::Loop& loop, const slice::InsnGraph& function);
  void execute(const regions::MachineInsn& m);
  Symbol of(uint8_t reg) const;
  Place place_of(const regions::MachineInsn& load) const;

  std::array<Symbol, regions::kFirstVector> registers_ = {};
  std::map<Place, Symbol> loaded_;
  Symbol symbols_ = 0;
  uint32_t stores_ = 0;
};

}  // namespace cdr::advise

#endif
