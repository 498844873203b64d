// SPDX-License-Identifier: GPL-2.0-or-later
// Hot paths (Gorton 2008, section III.D): how often each cyclic path of basic blocks was executed, and how many
// instructions that were.
#ifndef CDRGRIND_ANALYSIS_PATHS_PATH_PROFILE_H
#define CDRGRIND_ANALYSIS_PATHS_PATH_PROFILE_H

#include <algorithm>
#include <utility>
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
  uint64_t library = 0;          // instructions that libraries executed for it, of all executions

  uint64_t instructions() const { return trips * insns + library; }
};

// The instructions that libraries executed behind the blocks of one thread, until the paths of these go out. Paths go
// out in order, and behind them wait at most the blocks of one that is open: so it suffices to remember the sums at the
// last blocks.
class LibraryWork {
 public:
  void block() {
    if (sums_.empty()) return void(++blocks_);
    sums_[++blocks_ % kRemembered] = all_;
  }
  void charged(uint64_t insns) {
    if (sums_.empty()) sums_.assign(kRemembered, 0);
    sums_[blocks_ % kRemembered] = all_ += insns;
  }
  // A place between two blocks: all that has happened before, in numbers.
  struct Place {
    uint64_t blocks, gone, all, taken;
  };
  Place place() const { return {blocks_, gone_, all_, taken_}; }
  // Whether the blocks that have not gone out are as many as then, and what was charged to each. `quiet`: none went
  // out.
  bool is_as(const Place& p, bool quiet) const;
  // What happened since then so many times more.
  void again(const Place& p, uint64_t times);
  // Of the next blocks that go out.
  uint64_t take(uint64_t blocks) {
    gone_ += blocks;
    if (sums_.empty()) return 0;
    const uint64_t sum = sums_[gone_ % kRemembered];
    return sum - std::exchange(taken_, sum);
  }

 private:
  static constexpr uint64_t kRemembered = 2 * CycleCutter::kMostElements;
  std::vector<uint64_t> sums_;  // by number of the block, of it and all before; empty: nothing was charged
  uint64_t blocks_ = 0, gone_ = 0, all_ = 0, taken_ = 0;
};

// Not thread-safe.
class PathProfile {
 public:
  explicit PathProfile(const BasicBlocks& blocks) : blocks_(blocks) {}

  void block(ThreadId thread, uint32_t block);
  // Instructions of libraries, on behalf of the thread's last block.
  void charged(ThreadId thread, uint64_t insns);
  void left_out(uint64_t insns) { left_out_ += insns; }
  // For analysis::CopyFollower.
  struct CopyMark {
    CycleCutter::Place cut;
    LibraryWork::Place work = {};
    uint64_t taken = 0, instructions = 0, left_out = 0;
  };
  void mark(ThreadId thread, CopyMark& mark);
  bool is_as(ThreadId thread, const CopyMark& mark) const;
  void again(ThreadId thread, const CopyMark& mark, uint64_t times);
  // The path that is open ends here; of all threads without one.
  void cut(ThreadId thread);

  uint64_t paths() const { return table_.end_id(); }  // that are different
  uint64_t executions() const { return executions_; }
  // After cut(): those with most instructions, at most `most`; of equal ones that which came first.
  std::vector<HotPath> hottest(size_t most, bool by_thread) const;
  // Of all blocks that were passed, and what was charged to them.
  uint64_t instructions() const { return instructions_; }
  uint64_t left_out() const { return left_out_; }

 private:
  struct ThreadPaths {
    CycleCutter cutter;
    std::vector<uint64_t> trips;    // by id
    std::vector<uint64_t> library;  // by id; short or empty: 0
    LibraryWork work;
  };
  struct Taken {
    uint32_t id;
    uint64_t count, library;
  };
  void count(ThreadPaths& thread, const Taken& taken);
  HotPath path(uint32_t id, ThreadId thread, uint64_t trips) const;
  uint64_t library(uint32_t id, ThreadId thread) const;
  uint64_t trips(uint32_t id, ThreadId thread) const;
  void take(ThreadPaths& thread, std::span<const Element> cycle, uint64_t count);

  const BasicBlocks& blocks_;
  CycleTable table_;
  std::vector<uint64_t> insns_;       // by id
  std::vector<ThreadPaths> threads_;  // by serial
  uint64_t executions_ = 0, instructions_ = 0, left_out_ = 0;
  static constexpr size_t kMostTaken = 1 << 18;
  std::vector<Taken> taken_;   // what went out last
  uint64_t taken_before_ = 0;  // how much went out before these
};

}  // namespace cdr::paths

#endif
