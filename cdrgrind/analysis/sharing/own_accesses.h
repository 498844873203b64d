// SPDX-License-Identifier: GPL-2.0-or-later
// Which accesses are the runtime's to its own data, and where in the program an access comes from. Feed it every event,
// in order.
#ifndef CDRGRIND_ANALYSIS_SHARING_OWN_ACCESSES_H
#define CDRGRIND_ANALYSIS_SHARING_OWN_ACCESSES_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/events/first_stack.h"
#include "cdrgrind/analysis/events/frame_places.h"
#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/policy/runtime_accesses.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"

namespace cdr::sharing {

// The program's calls that allocated a block, innermost first.
struct Allocation {
  CodeAddr from;  // the innermost, none if there is none
  std::vector<CodeAddr> calls;
  size_t direct = 0;  // so many of the innermost have no call of a library's before them
  auto operator<=>(const Allocation&) const = default;
};

class OwnAccesses {
 public:
  OwnAccesses(const BlockTable& blocks, const ModuleTable& modules, races::CodeFacts& facts)
      : runtime_(modules, facts),
        stacks_(blocks, runtime_.library, runtime_.shim),
        own_(runtime_, stacks_, generations_) {}
  OwnAccesses(const OwnAccesses&) = delete;  // its parts know each other
  OwnAccesses& operator=(const OwnAccesses&) = delete;

  // Before the accesses of a Block or Partial.
  void block(ThreadId t, BlockId id) { stacks_.block(t, id); }
  // Any other event; its own accesses are asked about before.
  void event(const Event& e, uint64_t index);

  bool is_runtime(const Event& e, const analysis::Seen& seen) {
    return own_.is_own(e.thread, seen.addr, seen.access != nullptr, in_operation(e.thread),
                       [this](uint64_t addr) { return memory_at(addr).id; });
  }
  bool library(ModuleId m) const { return runtime_.library[m.value]; }
  ModuleId module(ThreadId t) { return stacks_.module(t); }
  // The program's call into the library that runs.
  CodeAddr caller(ThreadId t) { return stacks_.top(t).from; }

  const races::Generations::Found& memory_at(uint64_t addr) { return memory_.found(addr); }
  const races::Generations& generations() const { return generations_; }
  // For those who follow strands: what they begin.
  races::Generations& generations_of_strands() { return generations_; }
  bool on_first_stack(uint64_t addr) const {
    return addr < first_stack_end_ && first_stack_end_ - addr <= analysis::kFirstStackBytes;
  }
  // Who allocated the block, by number; 0 if it is no block's.
  uint32_t allocation_of(races::GenerationId id) const {
    const auto found = allocated_.find(id);
    return found == allocated_.end() ? 0 : found->second;
  }
  // By number - 1.
  const std::vector<Allocation>& allocations() const { return allocations_; }
  // Where in a frame of its stack the address lies; `at`: the instruction, if the thread that executes it is the
  // stack's.
  std::optional<analysis::FramePlace> frame_place(ThreadId stack, uint64_t addr, CodeAddr at) {
    return analysis::frame_place(stacks_.frames(stack), addr, at);
  }

 private:
  // A routine that an operation calls, as of pthread_once, is the program's.
  bool in_operation(ThreadId t) const {
    return t.value < open_.size() && !open_[t.value].empty() && is_of_library(open_[t.value].back());
  }
  void sync(const Event& e);
  uint32_t allocation(ThreadId by);

  races::RuntimeCode runtime_;
  analysis::CallStacks stacks_;
  races::Generations generations_;
  races::RuntimeAccesses own_;
  races::RecentGenerations memory_{generations_};
  std::vector<std::vector<SyncOp>> open_;  // by thread
  std::map<races::GenerationId, uint32_t> allocated_;
  std::vector<Allocation> allocations_;
  std::map<Allocation, uint32_t> allocation_numbers_;
  uint64_t first_stack_end_ = 0;
};

}  // namespace cdr::sharing

#endif
