// SPDX-License-Identifier: GPL-2.0-or-later
// Where dynamic jumps went in a run, within the activation that they were in: the block that the thread executed next.
#ifndef CDRGRIND_ANALYSIS_SLICE_RUN_JUMPS_H
#define CDRGRIND_ANALYSIS_SLICE_RUN_JUMPS_H

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/slice/jump_targets.h"
#include "cdrgrind/base/event.h"
#include "cdrgrind/trace/index/path_index.h"
#include "cdrgrind/trace/index/seeker.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::slice {

class RunJumps final : public JumpTargets {
 public:
  RunJumps() = default;
  // Reads the file; of a compact one only the grammars of its paths, by `seeker` if there is one.
  explicit RunJumps(const trace::TraceFile& file, trace::Seeker* seeker = nullptr);

  std::span<const uint64_t> jump_targets(SuperblockId superblock) const override {
    const auto t = targets_.find(superblock.value);
    return t == targets_.end() ? std::span<const uint64_t>() : t->second;
  }

 private:
  void read_epochs(const BlockTable& blocks, trace::Seeker& seeker);
  void read_events(const trace::TraceFile& file);
  void read_paths(const BlockTable& blocks, const trace::PathIndex& paths, std::vector<BlockId>& left);
  // The thread executed block `to` right behind `from`; either may be none.
  void see(const BlockTable& blocks, BlockId from, BlockId to);

  std::unordered_map<uint32_t, std::vector<uint64_t>> targets_;  // by superblock
};

}  // namespace cdr::slice

#endif
