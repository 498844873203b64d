// SPDX-License-Identifier: GPL-2.0-or-later
// Whether one iteration makes of a vector register's value the result of one operation with others, again and again,
// and nothing else of it: found by going over the loop's instructions until nothing changes any more (Kildall 1973), so
// whatever loops lie within. The value may change registers on its way.
//
//  1: xor eax,eax
//  2: movsd xmm0,[rdx+rax]
//     maxsd xmm0,xmm1          xmm1 has gone into xmm0
//     movapd xmm1,xmm0         and is xmm1 again
//     add rax,8 ; cmp rax,rsi ; jne 2b
//     add rdx,rsi ; cmp rdx,rcx ; jne 1b
#ifndef CDRGRIND_ANALYSIS_ADVISE_REGISTER_FOLD_H
#define CDRGRIND_ANALYSIS_ADVISE_REGISTER_FOLD_H

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/advise/liveness.h"
#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/machine_insn.h"

namespace cdr::advise {

class RegisterFold {
 public:
  struct Found {
    regions::Operation operation = regions::Operation::kOther;
    bool floating = false;
  };
  RegisterFold(const regions::Loop& loop, const CallRegisters& calls, regions::InsnTable& insns)
      : loop_(loop), calls_(calls), insns_(insns) {}

  // None if anything else is done with the value: it is compared, stored, handed to a function, or left to the next
  // iteration in another register.
  // A general register's flags, which may decide something, are not followed.
  std::optional<Found> of(uint8_t reg);

 private:
  // Registers that hold the value, with or without others; and that do so only if it went some ways.
  struct State {
    regions::RegisterSet hold = 0, may_hold = 0;
    bool operator==(const State&) const = default;
    void join(const State& other);
  };

  bool pass(const regions::MachineInsn& m, State& s);
  bool fold(const regions::MachineInsn& m, State& s, regions::RegisterSet read);
  bool note(const regions::MachineInsn& m);

  const regions::Loop& loop_;
  const CallRegisters& calls_;
  regions::InsnTable& insns_;
  Found found_;
  uint8_t element_ = 0;  // bytes
};

}  // namespace cdr::advise

#endif
