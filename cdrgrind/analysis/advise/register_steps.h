// SPDX-License-Identifier: GPL-2.0-or-later
// What one iteration makes of the registers: of each whether at the end it is another's value at the beginning, or its
// own, plus an amount that the loop does not change. Found by going over the loop's instructions until nothing changes
// any more (Kildall 1973); where ways meet with different values, nothing is known. A register may lie in the frame for
// a while, in a place that the loop names by its distance from the stack pointer only. Of a walk through a container,
// whose steps are calls, it is known how many of these there were, and which, whatever way the iteration took.
//
//     lea rax,[rcx-120]        rax = rcx - 120
//  1: add rax,8
//     cmp rax,rcx ; jne 1b     behind it rax = rcx: they were compared, and are equal
//     lea rcx,[rax+128]        rcx = rcx + 128: an induction
#ifndef CDRGRIND_ANALYSIS_ADVISE_REGISTER_STEPS_H
#define CDRGRIND_ANALYSIS_ADVISE_REGISTER_STEPS_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/library_names.h"
#include "cdrgrind/analysis/regions/machine_insn.h"

namespace cdr::advise {

// A register's value: `base`'s when the iteration began, or nothing, plus an amount. Equal amounts have equal numbers.
// kWalked: what steps of a walk lead to from base's; equal steps have equal numbers.
struct Step {
  enum class Kind : uint8_t { kUnseen, kKnown, kWalked, kUnknown };
  Kind kind = Kind::kUnseen;
  uint8_t base = regions::kNoRegister;
  uint64_t amount = 0;
  bool operator==(const Step&) const = default;
};
using Steps = std::array<Step, regions::kFirstVector>;

class RegisterSteps {
 public:
  // Of a call: how its result follows from its first argument.
  using WalkOfCall = std::function<regions::Walk(uint64_t)>;
  // `kept`: by where a call returns to, registers that it is known to keep.
  using Kept = std::map<uint64_t, regions::RegisterSet>;
  RegisterSteps(const regions::Loop& loop, regions::InsnTable& insns, WalkOfCall walk_of_call, Kept kept);

  // When the next iteration begins.
  const Steps& at_end() const { return end_; }
  // Before an instruction of the loop.
  const Steps& before(uint64_t addr) const { return before_.at(addr); }

 private:
  // The registers that were compared last, in a straight line.
  struct Compared {
    uint8_t left = regions::kNoRegister, right = regions::kNoRegister;
    bool operator==(const Compared&) const = default;
  };
  // By distance from the stack pointer, and bytes.
  using Slots = std::map<std::pair<int64_t, uint8_t>, Step>;
  struct State {
    Steps steps;
    Slots slots;
    Compared compared;
  };

  void run();
  void go(uint64_t next, const State& s, std::vector<uint64_t>& open);
  void go_equal(uint64_t next, State s, std::vector<uint64_t>& open);
  bool is_equal_way(uint64_t addr, uint64_t next, const State& s) const;
  State behind(uint64_t addr, const State& before) const;
  Step value(const State& s, const regions::Operand& o) const;
  Step sum(const State& s, const regions::Operand& a, const regions::Operand& b, bool minus) const;
  Step address(const State& s, const regions::Operand& o) const;
  static Step next_place(const Step& from, regions::Walk by);
  void call(State& s, uint64_t addr) const;
  bool is_constant(uint8_t reg) const { return !(written_ >> reg & 1); }
  static bool join(Steps& to, const Steps& from);
  static bool join(Slots& to, const Slots& from);
  bool is_slot(const regions::Operand& o) const;
  void store(State& s, const regions::MachineInsn& m, const State& before) const;

  const regions::Loop& loop_;
  regions::InsnTable& insns_;
  WalkOfCall walk_of_call_;
  Kept kept_;
  regions::RegisterSet written_ = 0;  // by any instruction of the loop
  Steps end_;
  std::unordered_map<uint64_t, Steps> before_;
  std::unordered_map<uint64_t, Compared> compared_;
  std::unordered_map<uint64_t, Slots> slots_;
  bool has_slots_ = true;
};

}  // namespace cdr::advise

#endif
