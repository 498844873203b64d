// SPDX-License-Identifier: GPL-2.0-or-later
// What is private to an implicit task of a parallel runtime, whatever strand of it its thread executes
// (docs/openmp.md): its frames and its thread's variables; what its thread has allocated in a region, and what is told
// apart by the thread's number: both if no other thread touches it in worksharing before the next barrier.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_MEMBER_MEMORY_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_MEMBER_MEMORY_H

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/source/phase_sharing.h"
#include "cdrgrind/analysis/strands/strand.h"

namespace cdr::races {

class MemberMemory {
 public:
  // `parts`: of the whole trace; `first_control`: the first thread's control block, 0: not known; `asked`: teams of
  // which a member is known to ask for its number. All must outlive it.
  MemberMemory(const Generations& generations, CodeFacts& facts, const PhaseSharing& parts, uint64_t first_control,
               std::unordered_set<uint64_t> asked = {})
      : generations_(generations),
        facts_(facts),
        parts_(parts),
        control_({0, first_control}),
        asked_(std::move(asked)) {}

  void thread_starts(const Event& e);
  // A block of the heap, in a parallel region.
  void allocated_in_region(GenerationId id);
  // A member of the team has asked for its number, at that call. Static loops and master ask, too.
  void asked(uint64_t team, bool for_copies, CodeAddr call) {
    if (for_copies || !facts_.is_for_construct(call)) asked_.insert(team);
  }

  // That variable is its thread's private copy of itself: the team has no other thread.
  void note_own_copy(uint64_t team, uint64_t variable);

  bool is_of_member(const strands::Strand& member, ThreadId t, uint64_t addr, uint64_t width, GenerationId id);
  // Also of the tasks that it executes.
  bool is_of_thread(const strands::Strand& member, ThreadId t, uint64_t addr);

 private:
  // They lie right below the thread's control block.
  bool is_thread_local(ThreadId t, uint64_t addr);

  const Generations& generations_;
  CodeFacts& facts_;
  const PhaseSharing& parts_;
  std::vector<uint64_t> control_;                                // by thread: its control block; 0: not told
  std::vector<bool> region_blocks_;                              // by generation: allocated in a parallel region
  std::unordered_set<uint64_t> asked_;                           // teams whose members have asked for their numbers
  std::unordered_map<uint64_t, std::vector<AddrRange>> copies_;  // by team
  std::optional<uint64_t> thread_local_bytes_;
};

}  // namespace cdr::races

#endif
