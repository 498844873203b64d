// SPDX-License-Identifier: GPL-2.0-or-later
// Which strand of a parallel runtime an access belongs to, where threads are not what may run at the same time. What is
// private to an implicit task stays its own in the chunks and sections that its thread executes (docs/openmp.md).
//
// Strands have numbers, which are used again by those that come behind (races/core/strand_clocks.h), and those that are
// asked for have an id of their own.
#ifndef CDRGRIND_ANALYSIS_SHARING_STRAND_ACCESSES_H
#define CDRGRIND_ANALYSIS_SHARING_STRAND_ACCESSES_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/core/strand_clocks.h"
#include "cdrgrind/analysis/races/source/member_memory.h"
#include "cdrgrind/analysis/races/source/phase_sharing.h"
#include "cdrgrind/analysis/races/source/strand_memory.h"
#include "cdrgrind/analysis/sharing/lasting_order.h"
#include "cdrgrind/analysis/sharing/own_accesses.h"
#include "cdrgrind/analysis/sharing/strand_touches.h"

namespace cdr::sharing {

struct KnownStrand {
  strands::Strand strand;
  ThreadId thread;   // that executed it
  CodeAddr created;  // the program's call, of an explicit task
};

class StrandAccesses final : races::StrandClocks::Owner {
 public:
  // `touches`: of the whole trace. The others must outlive it.
  StrandAccesses(LastingOrder& order, OwnAccesses& own, races::CodeFacts& facts, StrandTouches& touches)
      : order_(order),
        own_(own),
        memory_(own.generations_of_strands()),
        parts_(touches.take_parts()),
        regions_(touches.take_regions()),
        last_thread_(touches.last_thread()),
        members_(own.generations(), facts, parts_, touches.first_control()) {
    order.follow_strands(last_thread_, *this);
  }
  StrandAccesses(const StrandAccesses&) = delete;
  StrandAccesses& operator=(const StrandAccesses&) = delete;

  // Before the order and the others are told.
  void before(const Event& e, uint64_t index);
  // When they have been.
  void after(const Event& e);

  bool in_runtime(ThreadId t) const { return order_.strands()->in_runtime(t); }
  // In which the thread is; null: in none.
  const StrandTouches::Region* region(ThreadId t) const {
    const races::StrandClocks::Running* const r = order_.strands()->running(t);
    const auto found = r ? regions_.find(r->strand.team) : regions_.end();
    return found == regions_.end() ? nullptr : &found->second;
  }
  // The number of the strand; `life`: of the memory.
  ThreadId of(ThreadId t, uint64_t addr, uint64_t width, races::GenerationId life);
  // It is in that segment now.
  void note(ThreadId t, ThreadId number, races::SegmentNumber segment);

  // Of an access of the number in that segment: greater than any thread's, or a thread.
  ThreadId id(ThreadId number, races::SegmentNumber segment) const;
  const KnownStrand* known(ThreadId id) const {
    return id.value > last_thread_ ? &all_[id.value - last_thread_ - 1] : nullptr;
  }
  const std::vector<KnownStrand>& all() const { return all_; }
  uint32_t last_thread() const { return last_thread_; }

 private:
  void strand_begins(ThreadId on, const strands::Strand& s) override;
  void strand_ends(ThreadId on, const strands::Strand& s, ThreadId strand) override;
  void task_data(ThreadId by, AddrRange data) override { memory_.data(by, data, index_); }
  void asked(ThreadId by, uint64_t team, bool for_copies) override;
  void copy_is_itself(ThreadId by, uint64_t team, uint64_t variable) override;
  races::LockSetId lock_set(std::vector<races::LockKey>) override { return 0; }

  LastingOrder& order_;
  OwnAccesses& own_;
  races::StrandMemory memory_;
  races::PhaseSharing parts_;
  std::unordered_map<uint64_t, StrandTouches::Region> regions_;  // by team
  uint32_t last_thread_;
  races::MemberMemory members_;
  uint64_t index_ = 0;                               // of the event
  std::unordered_map<uint32_t, CodeAddr> creating_;  // by thread: where its task-create was called
  std::unordered_map<uint64_t, CodeAddr> created_;   // by task that has not begun
  struct First {
    races::SegmentNumber segment = 0;
    ThreadId id;
  };
  std::unordered_map<uint32_t, CodeAddr> begun_;  // by number of a strand that runs: where it was created
  struct Numbered {
    bool noted = false;      // its present strand has an id
    std::vector<First> ids;  // which strand has it from which segment on
  };
  std::vector<Numbered> numbers_;
  std::vector<KnownStrand> all_;  // by id, from last_thread_ + 1 on
};

}  // namespace cdr::sharing

#endif
