// SPDX-License-Identifier: GPL-2.0-or-later
// What the second look has to do with each block in an epoch, thread by thread: what touches shared memory in one
// thread, a buffer that a function is handed, often touches nothing but the thread's own in others. Where all that an
// access touched does not lie together it is asked address by address. Threads for which all is alike have it in
// common, as a *kind*; of many that differ some have what holds for all.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_THREAD_ROLES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_THREAD_ROLES_H

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "cdrgrind/analysis/races/source/block_roles.h"
#include "cdrgrind/analysis/races/source/symbol_counts.h"
#include "cdrgrind/analysis/walk/stream_runs.h"

namespace cdr::races {

using analysis::Progression;
using analysis::StreamRuns;

// The bytes that some accesses touch, seen from the word that they have their addresses from.
struct AroundWord {
  bool any = false;
  uint64_t least = 0, size = 0;  // from word + least on

  void add(const Access& a);
  AddrRange at(uint64_t word) const { return {word + least, word + least + size}; }
};

class ThreadRoles {
 public:
  struct Kind {
    uint32_t number = 0;
    std::vector<uint64_t> touches;  // block, access; ascending
    const RolesOfBlocks& roles;
    SymbolCounts counts;
    std::vector<std::vector<AroundWord>> words;  // by block, word: what leads to shared memory; empty: not asked for
  };

  // All must outlive it.
  ThreadRoles(const BlockTable& blocks, const BlockRoles& all, const CompactFirstPass& first_pass, uint32_t number,
              trace::EpochIndex& epoch, const trace::PathShapes& shapes);

  // Of a thread that the epoch has. It stays.
  Kind& of(ThreadId t) { return kinds_[t.value < kind_of_.size() ? kind_of_[t.value] : 0]; }
  const std::vector<AroundWord>& words(Kind& kind, BlockId id) const;

 private:
  static constexpr size_t kMostKinds = 8;
  // Of one slot of a block, by those that may touch shared memory.
  struct OfSlot {
    uint16_t slot = 0;
    uint64_t values = 0;
    bool meets = false;
    AroundWord around;
  };

  void add_block(std::span<const AccessHull> hulls, std::vector<uint64_t>& touches);
  bool meets_shared(ThreadId thread, BlockId id, const OfSlot& s);
  uint32_t kind_with(std::vector<uint64_t> touches);
  void add_kind(std::vector<uint64_t> touches, const RolesOfBlocks& roles);

  const BlockTable& blocks_;
  const BlockRoles& all_;
  std::span<const FrameOf> frames_;
  trace::EpochIndex& epoch_;
  const trace::PathShapes& shapes_;
  std::deque<Kind> kinds_;  // the first is what holds for all
  std::deque<RolesOfBlocks> roles_;
  std::vector<uint32_t> kind_of_;  // by thread
  std::vector<OfSlot> slots_;      // of the present block
};

}  // namespace cdr::races

#endif
