// SPDX-License-Identifier: GPL-2.0-or-later
// Which lines of memory strands of a parallel runtime touch that may run beside each other: the first look, which takes
// in more than there is, and leaves most lines out.
//
// What was touched in a former phase of the run (races/source/strand_phases.h) is forgotten. The frames and the data of
// a strand count only if another one comes there while they are its own.
#ifndef CDRGRIND_ANALYSIS_SHARING_STRAND_TOUCHES_H
#define CDRGRIND_ANALYSIS_SHARING_STRAND_TOUCHES_H

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "cdrgrind/analysis/events/visit.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/source/first_control.h"
#include "cdrgrind/analysis/races/source/phase_sharing.h"
#include "cdrgrind/analysis/races/source/sharing.h"
#include "cdrgrind/analysis/races/source/strand_memory.h"
#include "cdrgrind/analysis/races/source/strand_phases.h"
#include "cdrgrind/analysis/strands/strand_machine.h"

namespace cdr::sharing {

class StrandTouches final : strands::StrandClient<strands::NoRelease> {
 public:
  // `runtime`: what the runtime touches counts, too.
  StrandTouches(const BlockTable& blocks, races::CodeFacts& facts, races::Sharing& to, bool runtime = false)
      : to_(to), runtime_(runtime), memory_(generations_), machine_(*this), control_(blocks, facts) {}
  StrandTouches(const StrandTouches&) = delete;
  StrandTouches& operator=(const StrandTouches&) = delete;

  // Before its accesses.
  void event(const Event& e, uint64_t index);
  void access(ThreadId t, const analysis::Seen& seen);

  uint32_t last_thread() const { return last_thread_; }
  uint64_t first_control() const { return control_.address(); }
  struct Region {
    uint64_t function = 0, data = 0;  // where what it shares lies; 0: not told
  };
  std::unordered_map<uint64_t, Region> take_regions() { return std::move(regions_); }
  // What threads of a team touch in chunks and sections between two barriers, by threads.
  races::PhaseSharing take_parts() { return std::move(parts_); }

 private:
  strands::NoRelease release(ThreadId) override { return {}; }
  void acquire(ThreadId, const strands::NoRelease&) override {}
  void begins(ThreadId on, const strands::Strand& s, const strands::NoRelease&) override;
  strands::NoRelease ends(ThreadId on, const strands::Strand& s) override;
  void task_data(ThreadId by, AddrRange data) override { memory_.data(by, data, index_); }

  bool is_others(ThreadId t, const analysis::Seen& seen);

  races::Sharing& to_;
  const bool runtime_;
  races::Generations generations_;
  races::RecentGenerations recent_{generations_};
  races::StrandMemory memory_;
  races::PhaseSharing parts_;
  strands::StrandMachine<strands::NoRelease> machine_;
  uint64_t index_ = 0;  // of the event
  races::StrandOwners owners_;
  races::StrandPhases phases_;
  std::unordered_map<uint64_t, Region> regions_;  // by team
  uint32_t last_thread_ = 0;
  races::FirstControl control_;
};

}  // namespace cdr::sharing

#endif
