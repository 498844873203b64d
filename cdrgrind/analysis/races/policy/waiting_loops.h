// SPDX-License-Identifier: GPL-2.0-or-later
// Loops that do nothing but wait for a flag, found in the code, so also when they never spun:
//
//     while (!p->ready) sched_yield();
//
//     body: call sched_yield            the loop: everything from which the branch is reached again
//     test: mov  -8(%rbp),%rax          p and p->ready are *flags*: the condition comes from these loads, and
//           mov  (%rax),%eax            their addresses are the same every time
//           test %eax,%eax
//           je   body                   the branch; behind it is the way out
//
// A loop waits if all that it writes is registers and its own stack slots, all that it calls yields or sleeps, and the
// condition of one of its branches comes from flags, constants and registers that do not change. What such a branch
// leaves goes on because of the flags; it leaves nothing if what it leads to is part of one more round, which counts
// before it looks again (`for (i = 0; i < n; i++) if (flag) found++;`). Compilers copy the first test out of the loop
// (`if (!f) do {} while (!f)`): a branch into the loop or past it counts, too, if it compares the same memory in the
// same manner: by an operand like the loop's, or at a constant address that is the loop's by what the code before has
// set.
//
// Invariant: only code that can be read is judged. What is not known, waits for nothing.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_WAITING_LOOPS_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_WAITING_LOOPS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cdrgrind/analysis/races/policy/insn_effects.h"
#include "cdrgrind/base/block_table.h"

namespace cdr::races {

class WaitingLoops {
 public:
  // A branch out of a loop.
  struct Way {
    uint32_t loop = 0;   // number, from 1
    uint64_t out = 0;    // where the loop is left to
    bool waits = false;  // for the flags; else for something else, as a count
  };

  // Looks at all superblocks but those of the modules in `without`.
  WaitingLoops(const BlockTable& blocks, CodeFacts& facts, const std::vector<bool>& without);

  // The loop of which the instruction loads a flag; 0: none.
  uint32_t flag_of(CodeAddr insn) const;
  const Way* way_out(CodeAddr branch) const;
  bool can_read(CodeAddr at);

 private:
  using Nodes = std::map<uint64_t, std::vector<uint64_t>>;  // instructions, with those before them
  struct Loop {
    ModuleId module;
    Nodes body;
    Registers written = 0;
    std::set<uint64_t> flags, compares;  // instructions
  };
  // Whether something is the same each time but for flags; these are added.
  struct LoopInvariance;
  // Instructions before one, nearest first, until a way from elsewhere joins.
  using Chain = std::vector<uint64_t>;

  const InsnEffects* effects(CodeAddr at);
  // RBP may be any other register, too.
  bool has_frame_pointer(CodeAddr at);
  bool in_frame(const MemoryOperand& m, CodeAddr at);
  bool may_wait(const InsnEffects& e, CodeAddr at);
  std::vector<uint64_t> successors(uint64_t addr, const InsnEffects& e) const;
  void try_branch(CodeAddr branch);
  Nodes reachable(CodeAddr from, uint64_t end);
  std::optional<Loop> loop_through(CodeAddr branch, uint64_t side, const Nodes& before);
  bool goes_on(const Loop& loop, CodeAddr branch, uint64_t out);
  bool counts_before(const Loop& loop, uint64_t from, uint64_t branch);
  bool add_loop(CodeAddr branch, Loop loop, uint64_t out);
  void add_other_ways(const Loop& loop, uint32_t number);
  Chain chain_before(const Loop& loop, uint64_t addr) const;
  std::optional<Chain> way_into(const Loop& loop, uint64_t addr);
  bool compares_the_same(const Loop& loop, const LoopInvariance& guard, const Chain& before, const Chain& into);
  bool look_alike(const Loop& loop, const std::set<uint64_t>& flags);
  bool is_first_look(const Loop& loop, const std::set<uint64_t>& flags, const Chain& before, const Chain& into);
  void try_guard(const Superblock& sb, uint16_t insn);

  const BlockTable& blocks_;
  CodeFacts& facts_;
  InsnReader reader_;
  std::map<CodeAddr, std::optional<InsnEffects>> effects_;
  std::map<CodeAddr, bool> only_waits_, with_frame_pointer_;  // functions
  std::set<CodeAddr> executed_, tried_;                       // branches
  std::map<CodeAddr, uint32_t> flags_;
  std::map<CodeAddr, Way> ways_;
  std::vector<Loop> loops_;  // by number - 1
};

}  // namespace cdr::races

#endif
