// SPDX-License-Identifier: GPL-2.0-or-later
// Hot paths (Gorton 2008, section III.D): how often each cyclic path of basic blocks was executed, and how many
// instructions that were.
#ifndef CDRGRIND_ANALYSIS_PATHS_PATH_PROFILE_H
#define CDRGRIND_ANALYSIS_PATHS_PATH_PROFILE_H

#include <vector>

#include "cdrgrind/analysis/paths/basic_blocks.h"
#include "cdrgrind/analysis/paths/cycle_table.h"
#include "cdrgrind/analysis/paths/cycles.h"

namespace cdr::paths {

struct HotPath {
  std::vector<uint32_t> blocks;  // numbers of basic blocks
  uint32_t id = 0;               // serial from 0, by first end
  ThreadId thread;               // none: all threads
  uint64_t trips = 0;            // executions
  uint64_t insns = 0;            // of one execution

  uint64_t instructions() const { return trips * insns; }
};

// Not thread-safe.
class PathProfile {
 public:
  explicit PathProfile(const BasicBlocks& blocks) : blocks_(blocks) {}

  void block(ThreadId thread, uint32_t block);
  // The path that is open ends here; of all threads without one.
  void cut(ThreadId thread);

  uint64_t paths() const { return table_.end_id(); }  // that are different
  uint64_t executions() const { return executions_; }
  // After cut(): those with most instructions, at most `most`; of equal ones that which came first.
  std::vector<HotPath> hottest(size_t most, bool by_thread) const;
  // Of all blocks that were passed.
  uint64_t instructions() const { return instructions_; }

 private:
  struct ThreadPaths {
    CycleCutter cutter;
    std::vector<uint64_t> trips;  // by id
  };
  HotPath path(uint32_t id, ThreadId thread, uint64_t trips) const;
  uint64_t trips(uint32_t id, ThreadId thread) const;
  void take(ThreadPaths& thread, std::span<const Element> cycle, uint64_t count);

  const BasicBlocks& blocks_;
  CycleTable table_;
  std::vector<uint64_t> insns_;       // by id
  std::vector<ThreadPaths> threads_;  // by serial
  uint64_t executions_ = 0, instructions_ = 0;
};

}  // namespace cdr::paths

#endif
