// SPDX-License-Identifier: GPL-2.0-or-later
// The calls that were open at events, innermost first, without the preload's own: the first is the instruction in the
// program from which the event comes. Equal stacks are kept once, so there may be millions of events.
#ifndef CDRGRIND_ANALYSIS_SYNC_OPERATION_STACKS_H
#define CDRGRIND_ANALYSIS_SYNC_OPERATION_STACKS_H

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::sync {

class OperationStacks {
 public:
  OperationStacks() = default;
  // `events` by index. Where the part is ended, those of later ones are not known.
  OperationStacks(const trace::TraceFile& file, std::span<const uint64_t> events, analysis::WatchedPart& part);
  OperationStacks(OperationStacks&&) = default;
  OperationStacks& operator=(OperationStacks&&) = default;

  // The number of the stack at one of these events; 0, that of the empty one, at others.
  uint32_t number(uint64_t event) const;
  const std::vector<CodeAddr>& stack(uint32_t number) const { return *stacks_[number]; }
  const std::vector<CodeAddr>& at(uint64_t event) const { return stack(number(event)); }
  size_t size() const { return stacks_.size(); }

 private:
  void add(std::vector<CodeAddr> stack);
  void seek(const trace::TraceFile& file, analysis::WatchedPart& part);
  void read(const trace::TraceFile& file, analysis::WatchedPart& part);

  std::vector<uint64_t> events_;
  std::vector<uint32_t> at_;  // by event
  std::map<std::vector<CodeAddr>, uint32_t> numbers_;
  std::vector<const std::vector<CodeAddr>*> stacks_;  // keys of numbers_
};

// The calls at each of these events.
std::map<uint64_t, std::vector<CodeAddr>> call_sites_at(const trace::TraceFile& file, std::span<const uint64_t> events);

}  // namespace cdr::sync

#endif
