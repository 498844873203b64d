// SPDX-License-Identifier: GPL-2.0-or-later
// The backward dynamic slice of one access, as event_control.h defines it. What is reached by known flow alone is
// found first; what is reached over something weak only, is weak. What happened before `horizon` is not looked for: the
// way back leads to earlier events only.
#ifndef CDRGRIND_ANALYSIS_SLICE_BACKWARD_SLICE_H
#define CDRGRIND_ANALYSIS_SLICE_BACKWARD_SLICE_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/slice/event_control.h"
#include "cdrgrind/analysis/slice/execution_log.h"
#include "cdrgrind/analysis/slice/function_graphs.h"

namespace cdr::slice {

// What the slices of one candidate may take together: steps, each of about the same work. It is counted, never timed,
// so that the same trace has the same verdicts on any machine, however busy.
class SliceBudget {
 public:
  explicit SliceBudget(uint64_t steps) : steps_(steps) {}
  // False when it is used up, from then on.
  bool step() {
    if (steps_ == 0) return false;
    ++taken_;
    return --steps_ != 0;
  }
  // So many entries of a list were looked at, one after the other.
  void looked(uint64_t entries) {
    constexpr uint64_t kEntriesOfStep = 64;
    looked_ += entries;
    for (; looked_ >= kEntriesOfStep && step(); looked_ -= kEntriesOfStep) {
    }
  }
  bool used_up() const { return steps_ == 0; }
  uint64_t taken() const { return taken_; }

 private:
  uint64_t steps_, taken_ = 0, looked_ = 0;
};

class BackwardSlice {
 public:
  BackwardSlice(const ExecutionLog& log, FunctionGraphs& graphs, const AccessPosition& of, uint64_t horizon,
                SliceBudget& budget);

  struct Found {
    bool weak = false;
    std::vector<FlowStep> reason;
  };
  // How the access got into the slice, if it did.
  std::optional<Found> find(const AccessPosition& access) const;

 private:
  struct Node {
    uint32_t parent;
    FlowStep step;
  };
  // A set of a block's summary, followed from the block's entry; or the conditions of what stood at `ip`.
  struct Item {
    LogEntryId entry;
    uint32_t set;  // kConditions: not a set
    uint32_t node;
    uint32_t accesses = 0;  // of the entry, before what stood there
    uint64_t ip = 0;
  };
  static constexpr uint32_t kConditions = ~uint32_t{0};
  struct Reached {
    uint32_t node = 0;
    bool weak = false;
  };

  void start(const AccessPosition& of);
  void run();
  void push(LogEntryId entry, uint32_t set, uint32_t node, bool weak);
  void push_conditions(LogEntryId entry, uint64_t ip, uint32_t accesses, uint32_t node, bool weak);
  void expand(const Item& item, bool weak);
  void follow_register(LogEntryId entry, StatePiece piece, uint32_t node, bool weak);
  // Where the search for the bytes still missing goes on; 0: nowhere.
  LogEntryId follow_writer(LogEntryId writer, StatePiece piece, uint64_t& missing, uint32_t node, bool weak);
  void follow_load(LogEntryId entry, uint32_t access, uint32_t node, bool weak);
  void follow_store(const StoredBy& s, uint32_t node, bool weak);
  void follow_address(LogEntryId entry, uint32_t access, uint32_t node, bool weak);
  void follow_conditions(const Item& item, bool weak);
  void follow_branch(const Item& item, uint64_t ip, bool weak);
  std::optional<LogEntryId> evaluation(const Item& item, const ExitAt& at);
  void follow_call(const Item& item, bool weak);
  bool too_early(LogEntryId entry) const { return log_[entry].event < horizon_; }
  uint32_t reach(FlowStep::Kind kind, LogEntryId entry, uint32_t access, uint64_t ip, uint32_t parent, bool weak);
  uint64_t ip_of(LogEntryId entry, uint32_t access) const;

  const ExecutionLog& log_;
  FunctionGraphs& graphs_;
  uint64_t horizon_;
  SliceBudget& budget_;
  std::vector<Node> nodes_;
  std::deque<Item> known_, weak_;
  std::unordered_set<uint64_t> sets_seen_;                     // entry, set
  std::set<std::pair<LogEntryId, uint64_t>> conditions_seen_;  // entry, instruction
  std::set<std::pair<LogEntryId, uint64_t>> branches_seen_;    // the same
  std::map<AccessPosition, Reached> reached_;
};

}  // namespace cdr::slice

#endif
