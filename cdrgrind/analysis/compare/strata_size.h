// SPDX-License-Identifier: GPL-2.0-or-later
// What strata take as bytes, each stream compressed by zlib, as Gorton's tool did (2008, section III.C). The bytes
// are counted, not kept.
#ifndef CDRGRIND_ANALYSIS_COMPARE_STRATA_SIZE_H
#define CDRGRIND_ANALYSIS_COMPARE_STRATA_SIZE_H

#include <vector>

#include "cdrgrind/analysis/compare/size_meter.h"
#include "cdrgrind/analysis/paths/basic_blocks.h"
#include "cdrgrind/analysis/paths/strata_streams.h"

namespace cdr::compare {

struct StrataSizes {
  uint64_t blocks = 0;           // the basic blocks' addresses and instructions
  std::vector<uint64_t> levels;  // cycles
  uint64_t top = 0;              // of all threads
};

// A consumer of basic blocks. Not thread-safe.
class MeasuredStrata {
 public:
  // `blocks` must outlive it.
  MeasuredStrata(const paths::StrataOptions& options, const paths::BasicBlocks& blocks);

  void block(ThreadId thread, uint32_t block) {
    instructions_ += blocks_[block].insns;
    strata_.block(thread, block);
  }
  void cut(ThreadId thread) { strata_.cut(thread); }
  // Strata are made block by block.
  struct CopyMark {};
  void mark(ThreadId, CopyMark&) const {}
  bool is_as(ThreadId, const CopyMark&) const { return false; }
  void again(ThreadId, const CopyMark&, uint64_t) const {}
  StrataSizes finish();

  const paths::Strata& strata() const { return strata_; }
  uint64_t instructions() const { return instructions_; }
  unsigned threads() const;  // that executed a block

 private:
  void measure(unsigned stream, std::span<const uint8_t> bytes);
  uint64_t block_bytes() const;

  const paths::BasicBlocks& blocks_;
  paths::StrataStreams streams_;
  paths::Strata strata_;
  std::vector<SizeMeter> meters_;  // by stream
  std::vector<bool> used_;         // by stream
  uint64_t instructions_ = 0;
};

}  // namespace cdr::compare

#endif
