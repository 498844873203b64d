// SPDX-License-Identifier: GPL-2.0-or-later
// The lanes of a chart of a program with a parallel runtime: strands (strands/strand_machine.h) take the threads'
// place. What a task does stands in its lane, whichever thread executes it, and equal strands share one:
//
//   - a thread, outside of any team
//   - the implicit tasks with one number in the teams that strands of one lane begin
//   - the explicit tasks that one construct creates
#ifndef CDRGRIND_ANALYSIS_SYNC_STRAND_LANES_H
#define CDRGRIND_ANALYSIS_SYNC_STRAND_LANES_H

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/strands/strand_machine.h"
#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/analysis/sync/strand_lane.h"

namespace cdr::sync {

class StrandLanes final : strands::StrandClient<LaneSet> {
 public:
  StrandLanes() : machine_(*this) {}
  StrandLanes(const StrandLanes&) = delete;
  StrandLanes& operator=(const StrandLanes&) = delete;

  StrandStep step(const SyncStep& s);
  // A number for the strand that the thread executes now, and the lane of such a number.
  uint32_t strand(ThreadId t) { return now(t).strand; }
  uint32_t lane_of(uint32_t strand) const { return strand < lane_of_.size() ? lane_of_[strand] : 0; }
  // By number - 1.
  const std::vector<StrandLane>& lanes() const { return lanes_; }

 private:
  struct Running {
    uint32_t lane = 0, strand = 0;
  };
  struct Creation {
    uint64_t function = 0, event = 0;
  };
  struct Thread {
    Running own;  // outside of any strand
    bool of_runtime = false;
    std::vector<Running> running;
    std::vector<uint64_t> teams;  // that it is beginning
    std::vector<Creation> creations;
  };
  struct Begun {
    uint32_t lane = 0;
    uint64_t event = 0;
  };
  using LaneKey = std::tuple<strands::StrandKind, uint64_t, uint64_t>;  // parent and member; function; thread

  LaneSet release(ThreadId by) override { return {{now(by).lane}}; }
  void acquire(ThreadId by, const LaneSet& from) override;
  void begins(ThreadId on, const strands::Strand& s, const LaneSet& from) override;
  LaneSet ends(ThreadId on, const strands::Strand& s) override;
  void locked(ThreadId t, const LockKey& key) override;
  void unlocked(ThreadId t, const LockKey& key) override { last_[key] = now(t); }

  Thread& thread(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    return threads_[t.value];
  }
  Running now(ThreadId t);
  void note(const SyncStep& s);
  void life(const SyncStep& s);
  uint32_t lane(const LaneKey& key, const StrandLane& as);
  Running begin(uint32_t lane);

  strands::StrandMachine<LaneSet> machine_;
  std::vector<StrandLane> lanes_;
  std::vector<uint64_t> live_;  // strands, by number - 1 of the lane
  std::vector<uint32_t> lane_of_{0};
  std::map<LaneKey, uint32_t> by_key_;
  std::vector<Thread> threads_;
  std::unordered_map<uint64_t, Begun> teams_;
  std::unordered_map<uint64_t, Creation> tasks_;  // that have not begun
  std::map<LockKey, Running> last_;
  StrandStep step_;  // under way
};

}  // namespace cdr::sync

#endif
