// SPDX-License-Identifier: GPL-2.0-or-later
// Threads that wait by the futex system call, as libraries do that have barriers of their own. A load looks again if it
// is a thread's first of the word that it has just waited on, the code tests what it loads, and it leads back to the
// call that waited, through however many functions:
//
//     while (!is_open(gate)) wait_at(gate);      the load is in is_open(), the system call in what wait_at() calls;
//                                                their calls have one function, and from that of is_open() a way leads
//                                                to that of wait_at()
//
// Between the two the thread may do as it likes with its own memory and with atomic instructions. Stores to memory that
// others see, allocations, synchronisation, and other system calls than those that yield, sleep or tell the time end
// the wait: the loop does more than that.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_FUTEX_WAITS_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_FUTEX_WAITS_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/policy/insn_effects.h"
#include "cdrgrind/base/event.h"

namespace cdr::races {

class FutexWaits {
 public:
  explicit FutexWaits(CodeFacts& facts) : facts_(facts) {}

  // `stack`: innermost first, the system call's instruction and call instructions.
  void waited(ThreadId t, uint64_t addr, std::vector<CodeAddr> stack);
  void disturbed(ThreadId t) {
    if (t.value < threads_.size()) threads_[t.value].addr = 0;
  }
  static bool is_harmless_call(uint64_t number);

  // It has waited, and nothing disturbed that.
  bool is_waiting(ThreadId t) const { return t.value < threads_.size() && threads_[t.value].addr != 0; }
  // Whether that is the word on which the thread has just waited, and nothing disturbed it.
  bool is_awaited(ThreadId t, uint64_t addr, uint64_t width) const {
    return is_waiting(t) && threads_[t.value].addr == addr && width <= 8;
  }
  // Whether the load of it at the top of `stack` looks again. This ends the wait.
  bool looks_again(ThreadId t, const std::vector<CodeAddr>& stack);

 private:
  struct Wait {
    uint64_t addr = 0;  // 0: none
    std::vector<CodeAddr> stack;
  };
  const InsnEffects* effects(CodeAddr at);
  bool is_tested(CodeAddr load);
  bool leads(CodeAddr from, CodeAddr to);

  CodeFacts& facts_;
  std::optional<InsnReader> reader_;  // made when first needed
  std::map<CodeAddr, std::optional<InsnEffects>> effects_;
  std::map<std::pair<CodeAddr, CodeAddr>, bool> leads_;
  std::vector<Wait> threads_;  // by thread
};

}  // namespace cdr::races

#endif
