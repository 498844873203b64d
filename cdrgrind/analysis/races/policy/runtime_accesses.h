// SPDX-License-Identifier: GPL-2.0-or-later
// Tells the runtime's accesses to its own data from those of the program, as docs/races.md does: by the object that the
// code is in, what it does, and the memory. Told of the events that change whose memory is.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_RUNTIME_ACCESSES_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_RUNTIME_ACCESSES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"

namespace cdr::races {

class RuntimeAccesses {
 public:
  // All must outlive it, and follow the same events.
  RuntimeAccesses(const RuntimeCode& code, analysis::CallStacks& stacks, const Generations& generations)
      : code_(code), stacks_(stacks), generations_(generations), linkage_(code.linkage) {}

  // Before the generations are told.
  void thread_starts(const Event& e);
  // After it; `in_operation`: the thread is inside a wrapped operation, but not in a routine of the program that it
  // calls.
  void mapped(const Event& e, bool in_operation);

  // Whether what the thread accesses there is the runtime's own: its last block, or, if not `by_block`, a system call.
  // generation_at(addr) is asked for if needed.
  template <class F>
  bool is_own(ThreadId t, uint64_t addr, bool by_block, bool in_operation, F generation_at) {
    return is_linkage(addr) || (code_.library[stacks_.module(t).value] &&
                                is_own_of_library(t, addr, by_block, in_operation, generation_at));
  }
  // Its parts: whoever accesses it, and the code of a library.
  bool is_linkage(uint64_t addr) { return linkage_.contain(addr); }
  template <class F>
  bool is_own_of_library(ThreadId t, uint64_t addr, bool by_block, bool in_operation, F generation_at) {
    const ModuleId module = stacks_.module(t);
    if (code_.is_aside(module) || code_.team[module.value]) return true;
    if (in_operation || stacks_.top(t).hidden) return true;
    const bool is_result = !code_.results.empty() && code_.results.contains(addr);
    if (!is_result && code_.data.contains(addr)) return true;
    if (!code_.clib[module.value]) return false;
    // Its threads and its handlers of signals do what the program has asked for by system calls alone.
    if (by_block && !stacks_.top(t).for_program) return true;
    return !is_result && is_memory_of_clib(addr, generation_at(addr));
  }

 private:
  bool is_memory_of_clib(uint64_t addr, GenerationId id) const;

  const RuntimeCode& code_;
  analysis::CallStacks& stacks_;
  const Generations& generations_;
  RecentRanges linkage_;
  std::vector<bool> own_mappings_;         // by generation: of malloc, of libc
  std::vector<AddrRange> control_blocks_;  // of threads
};

}  // namespace cdr::races

#endif
