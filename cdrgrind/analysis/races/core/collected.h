// SPDX-License-Identifier: GPL-2.0-or-later
// What the second look at a trace collects: what every segment accessed of shared memory, and how segments are ordered.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_COLLECTED_H
#define CDRGRIND_ANALYSIS_RACES_CORE_COLLECTED_H

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/races/core/sites.h"

namespace cdr::races {

// What one thread's segments accessed, by segments. There may be millions; most are single accesses. Of millions of
// strands each has few.
class ThreadAccesses {
 public:
  void add(const AccessEntry& e);
  size_t size() const { return size_; }
  StreamId stream(size_t i) const { return at(i).stream; }
  SegmentNumber segment(size_t i) const { return at(i).segment; }
  AccessEntry operator[](size_t i) const;
  // Stream i gets numbers[i].
  void renumber(const std::vector<StreamId>& numbers);
  // Nothing comes any more, as it seems.
  void trim();

 private:
  struct Packed {
    uint64_t base = 0;
    StreamId stream = 0;
    SegmentNumber segment = 0;
    uint16_t width = 0, times = 0;  // of single accesses; width 0: see `other`
    uint32_t other = 0;
  };
  struct Rest {
    std::vector<std::unique_ptr<Packed[]>> chunks;  // behind the first
    std::vector<Progression> others;
  };
  static constexpr unsigned kChunkBits = 12;
  static constexpr size_t kChunk = size_t{1} << kChunkBits;
  Packed& at(size_t i) { return i < kChunk ? first_[i] : rest_->chunks[(i >> kChunkBits) - 1][i & (kChunk - 1)]; }
  const Packed& at(size_t i) const { return const_cast<ThreadAccesses&>(*this).at(i); }

  void make_room();
  void resize_first(size_t room);
  Rest& rest() {
    if (!rest_) rest_ = std::make_unique<Rest>();
    return *rest_;
  }

  std::unique_ptr<Packed[]> first_;  // small as long as it can be
  size_t room_ = 0;
  size_t size_ = 0;
  std::unique_ptr<Rest> rest_;
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

// One that a task may still use: leaving it was kept as a store to what tasks touch of it.
struct LeftFrame {
  ThreadId by;
  SegmentNumber in = 0;  // ends with it
  AddrRange bytes;
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
  std::multimap<GenerationId, LeftFrame> left_frames;
  uint64_t hidden_accesses = 0;  // in hide regions, to shared memory
};

}  // namespace cdr::races

#endif
