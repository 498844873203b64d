// SPDX-License-Identifier: GPL-2.0-or-later
// The backward dynamic slice of one access, as event_control.h defines it: the slow reference for the labels that are
// carried forward. What is reached by known flow alone is found first; what is reached over something weak only, is
// weak.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_SLICE_BACKWARD_SLICE_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_SLICE_BACKWARD_SLICE_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/slice/event_control.h"
#include "cdrgrind/analysis/slice/function_graphs.h"
#include "tests/unit/analysis/slice/execution_log.h"

namespace cdr::slice {

class BackwardSlice {
 public:
  BackwardSlice(const ExecutionLog& log, FunctionGraphs& graphs, const AccessPosition& of);

  // Whether the access is in the slice: by flow that is known, or only by what is weak.
  enum class Found : uint8_t { kNot, kWeak, kKnown };
  Found find(const AccessPosition& access) const;

 private:
  // A set of a block's summary, followed from the block's entry; or the conditions of what stood at `ip`, behind so
  // many exits of the block.
  struct Item {
    LogEntryId entry;
    uint32_t set;  // kConditions: not a set
    uint32_t exits = 0;
    uint64_t ip = 0;
  };
  static constexpr uint32_t kConditions = ~uint32_t{0};

  void start(const AccessPosition& of);
  void run();
  void push(LogEntryId entry, uint32_t set, bool weak);
  void push_conditions(LogEntryId entry, uint64_t ip, uint32_t exits, bool weak);
  void push_conditions_of_access(LogEntryId entry, uint32_t access, bool weak);
  void push_conditions_of_exit(LogEntryId entry, uint32_t exit, bool weak);
  void expand(const Item& item, bool weak);
  void follow_register(LogEntryId entry, StatePiece piece, bool weak);
  // Where the search for the bytes still missing goes on; 0: nowhere.
  LogEntryId follow_writer(LogEntryId writer, StatePiece piece, uint64_t& missing, bool weak);
  void follow_load(LogEntryId entry, uint32_t access, bool weak);
  void follow_store(const StoredBy& s, bool weak);
  void follow_address(LogEntryId entry, uint32_t access, bool weak);
  void follow_conditions(const Item& item, bool weak);
  void follow_branch(const Item& item, uint64_t ip, bool weak);
  std::optional<LogEntryId> evaluation(const Item& item, const ExitAt& at);
  // Whether the activation came to the join between the exit of the one entry and the item.
  bool is_behind(uint64_t join, LogEntryId from, uint32_t exit, const Item& item) const;
  void follow_call(const Item& item, bool weak);
  bool reach(LogEntryId entry, uint32_t access, bool weak);
  uint64_t ip_of(LogEntryId entry, uint32_t access) const;

  const ExecutionLog& log_;
  FunctionGraphs& graphs_;
  std::deque<Item> known_, weak_;
  std::unordered_set<uint64_t> sets_seen_;                     // entry, set
  std::set<std::pair<LogEntryId, uint64_t>> conditions_seen_;  // entry, exits and instruction
  std::set<std::pair<LogEntryId, uint64_t>> branches_seen_;    // entry, instruction
  std::map<AccessPosition, bool> reached_;                     // weak
};

}  // namespace cdr::slice

#endif
