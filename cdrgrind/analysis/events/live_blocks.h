// SPDX-License-Identifier: GPL-2.0-or-later
// The blocks of the heap that are live while the stream is read, and the program's calls that allocated each.
#ifndef CDRGRIND_ANALYSIS_EVENTS_LIVE_BLOCKS_H
#define CDRGRIND_ANALYSIS_EVENTS_LIVE_BLOCKS_H

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/base/range.h"

namespace cdr::analysis {

// The program's calls, innermost first, of recursive ones each once; `direct`: how many of these have no call of a
// library's before them.
struct AllocatingCalls {
  std::vector<CodeAddr> calls;
  size_t direct = 0;
  auto operator<=>(const AllocatingCalls&) const = default;
};

// `libraries`: by module, what is not the program's.
AllocatingCalls allocating_calls(CallStacks& stacks, ThreadId thread, const std::vector<bool>& libraries);

// A map from disjoint ranges of addresses to who allocated them. Not thread-safe.
class LiveBlocks {
 public:
  struct Found {
    AddrRange range;          // from the block's begin on, or between blocks
    uint64_t size = 0;        // of the block
    uint32_t allocation = 0;  // 0: no block
  };

  // An Alloc, Free or Resize; all others change nothing.
  void event(const Event& e, CallStacks& stacks, const std::vector<bool>& libraries);
  Found at(uint64_t addr) const;
  const AllocatingCalls& allocation(uint32_t number) const { return allocations_[number - 1]; }
  // Another one after each change.
  uint64_t version() const { return version_; }

 private:
  struct Block {
    uint64_t size = 0;
    uint32_t allocation = 0;
  };
  uint32_t number_of(const AllocatingCalls& calls);

  std::map<uint64_t, Block> blocks_;  // by their begin
  std::vector<AllocatingCalls> allocations_;
  std::map<AllocatingCalls, uint32_t> numbers_;
  uint64_t version_ = 1;
};

}  // namespace cdr::analysis

#endif
