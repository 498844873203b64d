// SPDX-License-Identifier: GPL-2.0-or-later
// What threads share: what may happen, by the order that synchronisation makes; and what did, by the true order of all
// accesses: variables, lines of memory, and which instruction passes bytes on to which. Reads the trace twice: which
// lines several threads touch, then what happens in these. docs/sharing.md defines what is counted.
#ifndef CDRGRIND_ANALYSIS_SHARING_SHARED_MEMORY_H
#define CDRGRIND_ANALYSIS_SHARING_SHARED_MEMORY_H

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/source/sharing.h"
#include "cdrgrind/analysis/sharing/line.h"
#include "cdrgrind/analysis/sharing/may_share.h"
#include "cdrgrind/analysis/sharing/own_accesses.h"
#include "cdrgrind/analysis/sharing/strand_accesses.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::sharing {

class SharingFacts : public races::CodeFacts {
 public:
  // The same number for addresses in the same part of a static variable, whatever the index: counters[…].hits.
  // 0: no variable is known there.
  virtual uint32_t part_at(uint64_t addr) = 0;
  // The same of a place in a frame.
  virtual uint32_t local_part_at(const analysis::FramePlace& place) = 0;
  // Of what the function of a parallel region shares, at an offset of its data.
  virtual uint32_t region_part_at(uint64_t function, int64_t offset) = 0;
  // Of the thread's own variables, whose block ends at its pthread_t.
  virtual uint32_t thread_local_part_at(uint64_t addr, uint64_t pthread) = 0;

 protected:
  ~SharingFacts() = default;
};

struct SharingOptions {
  uint32_t line_size = 64;  // bytes, a power of 2, at most kLargestLine
  bool runtime = false;     // the runtime's own accesses count, too
};

// What is one variable in the report.
struct MemoryGroup {
  races::MemoryKind kind = races::MemoryKind::kUnknown;
  uint32_t part = 0;        // of a static, thread-local or local variable, see SharingFacts
  bool local = false;       // it is a local one
  ThreadId thread;          // whose stack it is
  CodeAddr allocated;       // the program's call that allocated the blocks
  uint32_t allocation = 0;  // of SharedMemory::allocations, from 1
  uint64_t size = 0;        // of each block
  uint64_t page = 0;        // memory without a name: its number, to tell it from others
  auto operator<=>(const MemoryGroup&) const = default;
};

struct SharedVariable {
  MemoryGroup memory;
  uint64_t sample = 0;  // an address in it
  struct Counts {
    uint64_t loads = 0, stores = 0;
  };
  std::map<ThreadId, Counts> threads;
  std::map<std::pair<ThreadId, ThreadId>, uint64_t> pairs;  // hand-overs from, to
  std::map<std::pair<ThreadId, ThreadId>, uint64_t> may_pairs;
  uint64_t hand_overs = 0;
  uint64_t write_runs = 0;    // stores that begin one
  uint64_t may = 0;           // of all pairs of threads: true sharing that may happen (may_share.h)
  uint64_t repeats = 0;       // stores of what the same thread stored last
  uint64_t read_between = 0;  // of these: others loaded it in between
  bool shared = false;
};

// Bytes of a line that are touched by the same threads.
struct LinePart {
  uint32_t begin = 0, end = 0;
  std::vector<ThreadId> readers, writers;
  MemoryGroup memory;
  AddrRange block;                            // the heap block or stack that it lies in now
  std::optional<analysis::FramePlace> frame;  // a stack's: where
};

struct SharedLine {
  uint64_t addr = 0;
  std::vector<MayPair> may;                 // what may happen there
  std::vector<LinePart> in_true, in_false;  // by whom; parts of different lives may have the same bytes
  std::vector<LineThread> threads;
  uint64_t upgrades = 0, updates = 0;
  uint64_t misses = 0, false_misses = 0;
  std::vector<LinePart> parts;

  // Messages: copies fetched, and those that tell others of a store.
  uint64_t invalidating() const { return threads.size() + misses + upgrades; }
  uint64_t updating() const { return threads.size() + updates; }
};

struct Passed {
  CodeAddr from, to;  // a store, a load
  uint64_t bytes = 0;
};

struct SharedMemory {
  std::vector<SharedVariable> variables;  // most hand-overs first
  std::vector<SharedLine> lines;          // most false sharing that may happen first, then most misses for nothing
  uint64_t lines_left_out = 0;
  std::vector<Passed> passed;  // most bytes first
  std::vector<Allocation> allocations;
  races::Sharing::Counts counts;
  uint64_t may_true = 0, may_false = 0;   // of all lines and pairs of threads
  uint64_t misses = 0, false_misses = 0;  // of all lines
  uint64_t invalidating = 0, updating = 0;
  uint64_t runtime = 0;  // accesses of the runtime, left out
  uint64_t gaps = 0;
  // Of a program whose strands are followed (docs/openmp.md): who takes part in what may happen, by number above that
  // of the last thread.
  std::vector<KnownStrand> strands;
  uint32_t last_thread = 0;
  static constexpr size_t kMostStrands = 128;  // of a line, that may run at the same time and are compared
  uint64_t strand_accesses = 0;                // of others
  const KnownStrand* strand(ThreadId id) const {
    return id.value > last_thread && id.value - last_thread <= strands.size() ? &strands[id.value - last_thread - 1]
                                                                              : nullptr;
  }
  // What is not known because a part was ended (Watch).
  std::optional<uint64_t> end;    // accesses from this event on
  std::optional<uint64_t> pairs;  // which lines threads may share: known of so many
};

// At most `lines` lines are returned; their sums are of all.
SharedMemory find_shared_memory(const trace::TraceFile& file, SharingFacts& facts, const SharingOptions& options,
                                uint64_t lines, const analysis::Watch& watch);

}  // namespace cdr::sharing

#endif
