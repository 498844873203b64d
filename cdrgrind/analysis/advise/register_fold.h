// SPDX-License-Identifier: GPL-2.0-or-later
// Whether one iteration makes of a register's value the result of one operation with others, again and again,
// and nothing else of it: found by going over the loop's instructions until nothing changes any more (Kildall 1973), so
// whatever loops lie within. The value may change registers on its way.
//
//  1: xor eax,eax
//  2: movsd xmm0,[rdx+rax]
//     maxsd xmm0,xmm1          xmm1 has gone into xmm0
//     movapd xmm1,xmm0         and is xmm1 again
//     add rax,8 ; cmp rax,rsi ; jne 2b
//     add rdx,rsi ; cmp rdx,rcx ; jne 1b
//
// A greatest or least may also be chosen by a function, of its two arguments, or by a branch around a move:
//
//     comisd xmm0,xmm1 ; jbe 3f
//     movapd xmm1,xmm0
//  3:
#ifndef CDRGRIND_ANALYSIS_ADVISE_REGISTER_FOLD_H
#define CDRGRIND_ANALYSIS_ADVISE_REGISTER_FOLD_H

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cdrgrind/analysis/advise/call_returns.h"
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
  RegisterFold(const regions::Loop& loop, const CallRegisters& calls, CallReturns& returns, regions::InsnTable& insns)
      : loop_(loop), calls_(calls), returns_(returns), insns_(insns) {}

  // None if anything else is done with the value: it decides something, is stored, handed to a function, or left to the
  // next iteration in another register. Of general registers what operations leave in flags is not followed: only
  // choices are found.
  std::optional<Found> of(uint8_t reg);

 private:
  // Registers that hold the value, with or without others; and that do so only if it went some ways.
  struct State {
    regions::RegisterSet hold = 0, may_hold = 0;
    bool operator==(const State&) const = default;
    void join(const State& other);
  };

  bool pass(uint64_t addr, State& s);
  bool fold(const regions::MachineInsn& m, State& s, regions::RegisterSet read);
  bool call(uint64_t addr, State& s);
  bool chooses(uint64_t compare, const State& s);
  bool is_around(uint64_t way, uint64_t other, uint8_t held, const regions::Operand& with) const;
  bool note(regions::Operation operation, uint8_t element, bool floating);
  const regions::MachineInsn& insn_at(uint64_t addr) const { return insns_.at({loop_.header.module, addr}); }

  const regions::Loop& loop_;
  const CallRegisters& calls_;
  CallReturns& returns_;
  regions::InsnTable& insns_;
  std::unordered_set<uint64_t> choices_;  // moves that choose
  Found found_;
  uint8_t element_ = 0;  // bytes
};

}  // namespace cdr::advise

#endif
