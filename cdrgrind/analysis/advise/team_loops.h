// SPDX-License-Identifier: GPL-2.0-or-later
// What the teams of a parallel runtime execute of loops, counted while the trace is replayed for its loops.
#ifndef CDRGRIND_ANALYSIS_ADVISE_TEAM_LOOPS_H
#define CDRGRIND_ANALYSIS_ADVISE_TEAM_LOOPS_H

#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/analysis/regions/replay.h"
#include "cdrgrind/analysis/sync/team_counter.h"

namespace cdr::advise {

class TeamLoops final : public regions::LoopListener {
 public:
  explicit TeamLoops(const BlockTable& blocks) : blocks_(blocks), executed_(blocks.block_count() + 1) {}

  // Of every event, when the replay has seen it.
  void event(const Event& e, uint64_t index);
  bool loop_begins(ThreadId t, regions::LoopId loop, uint64_t executed) override {
    return counter_.enter_loop(t, executed - counts(t).shim, loop.value);
  }
  void loop_ends(ThreadId t, regions::LoopId loop, uint64_t executed, uint64_t iterations) override {
    counter_.leave_loop(t, executed - counts(t).shim, loop.value, iterations);
  }
  bool in_runtime(ThreadId t) override { return counter_.is_in_runtime(t); }
  // By the number of the loop.
  std::map<uint32_t, sync::TeamLoopTotals> take() { return counter_.take_loops(); }
  // By block: a team has executed it.
  const std::vector<bool>& executed() const { return executed_; }

 private:
  struct Counts {
    uint64_t executed = 0;
    uint64_t shim = 0;  // of these the recorder's own
  };
  Counts& counts(ThreadId t) {
    if (t.value >= counts_.size()) counts_.resize(t.value + 1);
    return counts_[t.value];
  }

  const BlockTable& blocks_;
  sync::TeamCounter counter_;
  std::vector<Counts> counts_;  // by thread
  std::vector<bool> executed_;
};

}  // namespace cdr::advise

#endif
