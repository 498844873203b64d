// SPDX-License-Identifier: GPL-2.0-or-later
// What one iteration makes of the registers: of each whether at the end it is another's value at the beginning, or its
// own, plus an amount that the loop does not change. Found by going over the loop's instructions until nothing changes
// any more (Kildall 1973); where ways meet with different values, nothing is known. Of a walk through a container,
// whose steps are calls, it is known how many of these there were, and which, whatever way the iteration took.
//
//     lea rax,[rcx-120]        rax = rcx - 120
//  1: add rax,8
//     cmp rax,rcx ; jne 1b     behind it rax = rcx: they were compared, and are equal
//     lea rcx,[rax+128]        rcx = rcx + 128: an induction
#ifndef CDRGRIND_ANALYSIS_ADVISE_REGISTER_STEPS_H
#define CDRGRIND_ANALYSIS_ADVISE_REGISTER_STEPS_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/advise/insn_steps.h"

namespace cdr::advise {

class RegisterSteps {
 public:
  // `entry`: homes of which it is known what they hold when any iteration begins, if they do at its end.
  RegisterSteps(const regions::Loop& loop, regions::InsnTable& insns, InsnSteps::WalkOfCall walk_of_call,
                InsnSteps::Kept kept, InsnSteps::Loads loads, const std::map<Home, Step>& entry);

  // When the next iteration begins.
  const Steps& at_end() const { return end_; }
  Step at_end(Home home) const { return home < regions::kFirstVector ? end_[home] : insns_.at(end_slots_, home); }
  // Whether what is there when an iteration begins is what it found there, or in a home of which that is so, plus an
  // amount.
  bool is_step(Home home) const;
  // Homes that the loop writes, and that hold the same whenever an iteration begins.
  std::vector<Home> kept() const;
  // Of a chunk of the registers' state (register_flow.h).
  bool is_step_of_chunk(uint8_t chunk) const;
  // Whether what the instruction reads in the frame is such.
  bool reads_step(uint64_t addr) const;
  // Whether where it stores, in the frame, such is left to the next iteration.
  bool leaves_step(uint64_t addr) const;
  // Whether the register is the same before the instruction in every iteration.
  bool holds_same(uint64_t addr, uint8_t reg) const;
  // Of an instruction that loads the same in every iteration.
  Step loaded_same(uint64_t addr) const { return insns_.loaded_same(addr, before(addr)); }
  // Before an instruction; nothing, if the loop has not got it.
  const Steps& before(uint64_t addr) const;

 private:
  using Compared = InsnSteps::Compared;
  using Slots = InsnSteps::Slots;
  using State = InsnSteps::State;

  void run(const std::map<Home, Step>& entry);
  void go(uint64_t next, const State& s, std::vector<uint64_t>& open);
  void go_equal(uint64_t next, State s, std::vector<uint64_t>& open);
  bool is_equal_way(uint64_t addr, uint64_t next, const State& s) const;
  static bool join(Steps& to, const Steps& from);

  const regions::Loop& loop_;
  InsnSteps insns_;
  Steps end_;
  Slots end_slots_;
  bool has_end_ = false;
  std::unordered_map<uint64_t, Steps> before_;
  std::unordered_map<uint64_t, Compared> compared_;
  std::unordered_map<uint64_t, Slots> slots_;
};

}  // namespace cdr::advise

#endif
