// SPDX-License-Identifier: GPL-2.0-or-later
// What the second look at a trace collects: what every segment accessed of shared memory, and how segments are ordered.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_COLLECTED_H
#define CDRGRIND_ANALYSIS_RACES_CORE_COLLECTED_H

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/races/core/sites.h"

namespace cdr::races {

// What one thread's segments accessed, by segments. There may be millions; most are single accesses.
class ThreadAccesses {
 public:
  void add(const AccessEntry& e);
  size_t size() const { return size_; }
  StreamId stream(size_t i) const { return at(i).stream; }
  SegmentNumber segment(size_t i) const { return at(i).segment; }
  AccessEntry operator[](size_t i) const;
  // Stream i gets numbers[i].
  void renumber(const std::vector<StreamId>& numbers);

 private:
  struct Packed {
    uint64_t base = 0;
    StreamId stream = 0;
    SegmentNumber segment = 0;
    uint32_t width = 0;  // of a single access, once; 0: see `others_`
    uint32_t other = 0;
  };
  static constexpr unsigned kChunkBits = 12;
  Packed& at(size_t i) { return chunks_[i >> kChunkBits][i & ((1u << kChunkBits) - 1)]; }
  const Packed& at(size_t i) const { return chunks_[i >> kChunkBits][i & ((1u << kChunkBits) - 1)]; }

  void make_room();

  std::vector<std::unique_ptr<Packed[]>> chunks_;  // the first is small as long as it can be: threads may be many
  size_t room_ = 0;
  size_t size_ = 0;
  std::vector<Progression> others_;
};

// By thread; a thread's segments are appended in order.
using AccessSets = std::vector<ThreadAccesses>;

struct HeapBlock {
  CodeAddr site;  // the call that allocated it
  CodeAddr from;  // the same, of the program's code
};

// Accesses of a stream to a block that was freed before, in happens-before order.
struct LateUse {
  StreamId use = 0, free = 0;
  ThreadId user, freer;
  SegmentNumber used = 0, freed = 0;   // of the first
  uint64_t addr = 0, width = 0;        // of the first
  uint64_t block = 0, block_size = 0;  // what was freed
  uint64_t count = 0;                  // of accesses
};

struct Collected {
  Segments segments;
  AccessSets sets;
  Sites sites;
  Generations generations;
  std::unordered_map<GenerationId, HeapBlock> heap;
  std::vector<bool> touched_by_program;  // by generation: by other code than the runtime's
  uint64_t runtime_accesses = 0;         // to shared memory, left out
  std::vector<LateUse> late;             // in the order of their first
  uint64_t hidden_accesses = 0;          // in hide regions, to shared memory
};

}  // namespace cdr::races

#endif
