// SPDX-License-Identifier: GPL-2.0-or-later
// Where a run's dynamic jumps went within their activations, and where activations went on after calls that did not
// come back behind themselves (exceptions, setjmp). And, as all events pass by: which operations of synchronisation
// there were.
#ifndef CDRGRIND_ANALYSIS_REGIONS_JUMP_LOG_H
#define CDRGRIND_ANALYSIS_REGIONS_JUMP_LOG_H

#include <bitset>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/slice/jump_targets.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::regions {

class JumpLog final : public slice::JumpTargets {
 public:
  explicit JumpLog(const BlockTable& blocks);
  // Reads the whole trace.
  explicit JumpLog(const trace::TraceFile& file);
  // The next event.
  void see(const Event& e);
  // The next ones of a thread.
  void see(ThreadId thread, Steps steps);
  // For analysis::CopyFollower: what has been seen once is known.
  struct CopyMark {
    size_t seen = 0;
    BlockId last;
    bool operator==(const CopyMark&) const = default;
  };
  void mark(ThreadId thread, CopyMark& mark) { mark = {seen_.size(), frames(thread).back()}; }
  bool is_as(ThreadId thread, const CopyMark& mark) { return mark == CopyMark{seen_.size(), frames(thread).back()}; }
  void again(ThreadId, const CopyMark&, uint64_t) {}

  // Whether the run has one of those that `which` tells.
  bool has_operation(bool (*which)(SyncOp)) const {
    for (uint32_t op = 0; op < kSyncOpCount; ++op)
      if (operations_[op] && which(static_cast<SyncOp>(op))) return true;
    return false;
  }

  std::span<const uint64_t> jump_targets(SuperblockId superblock) const override { return of(jumps_, superblock); }
  std::span<const uint64_t> landings(SuperblockId superblock) const override { return of(landings_, superblock); }

 private:
  using Targets = std::unordered_map<uint32_t, std::vector<uint64_t>>;  // by superblock
  using Frames = std::vector<BlockId>;                                  // the last block of each, outermost first

  static std::span<const uint64_t> of(const Targets& all, SuperblockId superblock) {
    const auto t = all.find(superblock.value);
    return t == all.end() ? std::span<const uint64_t>() : t->second;
  }
  // Whether it matters where the run went on.
  bool asks(BlockId from) const { return asks_[from.value]; }
  void go(BlockId from, BlockId to);
  Frames& frames(ThreadId t);

  const BlockTable& blocks_;
  std::bitset<kSyncOpCount> operations_;
  std::vector<uint8_t> asks_;  // by block
  Targets jumps_, landings_;
  FlatMap<uint64_t, uint8_t> seen_;  // pairs of blocks
  std::vector<Frames*> threads_;
  std::unordered_map<uint32_t, Frames> stacks_;
};

}  // namespace cdr::regions

#endif
