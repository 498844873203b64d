// SPDX-License-Identifier: GPL-2.0-or-later
// The lives of pieces of memory. Memory that is allocated, mapped or becomes a thread's stack begins a new
// generation; accesses of different generations have nothing to do with one another. A freed block stays what
// it was until something else takes its place: who still uses it uses the freed block.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_GENERATIONS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_GENERATIONS_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::races {

using GenerationId = uint32_t;  // 0: memory of which nothing was told; odd: begun by a strand

enum class MemoryKind : uint8_t { kUnknown, kMapping, kHeap, kStack };

struct Generation {
  MemoryKind kind = MemoryKind::kUnknown;
  bool over = false;  // freed, its thread has ended
  ThreadId thread;    // that began it
  AddrRange range;
  uint64_t event = 0;    // number of the event that began it
  uint64_t pthread = 0;  // of a stack: the thread's pthread_t, where its control block begins
};

// The thread whose frames may lie in a piece of memory, which `by` began: none's in a block. Of memory of which nothing
// was told it may be main.
inline std::optional<ThreadId> stack_owner(MemoryKind kind, ThreadId by) {
  if (kind == MemoryKind::kHeap) return std::nullopt;
  return kind == MemoryKind::kStack && by ? by : ThreadId(1);
}

// Those that events begin have numbers that do not depend on strands: who follows none has the same.
class Generations {
 public:
  Generations() : all_(1) {}

  // Alloc, Free, Resize, Map, Unmap, ThreadStart, ThreadEnd; others change nothing. Returns where a generation begins.
  AddrRange event(const Event& e, uint64_t index);

  // Frames of another strand begin below that address on the thread's stack.
  void begin_frames(ThreadId t, uint64_t index, uint64_t below);
  // The strand's data, in memory of a runtime.
  void begin_data(ThreadId t, uint64_t index, AddrRange range);

  // The present generation at an address, and where it holds.
  struct Found {
    GenerationId id = 0;
    AddrRange range;
  };
  Found at(uint64_t addr) const;
  // Changes so far; and whether what was found when there were `version` is known to hold still.
  uint64_t version() const { return version_; }
  bool holds(const Found& f, uint64_t version) const {
    if (version_ - version > changed_.size()) return false;
    for (uint64_t v = version; v != version_; ++v)
      if (changed_[v % changed_.size()].overlaps(f.range)) return false;
    return true;
  }
  Generation operator[](GenerationId id) const { return id % 2 ? of_strand(id) : all_[id / 2]; }
  // Number of the event that began it.
  uint64_t begun(GenerationId id) const { return id % 2 ? of_strands_[id / 2].event : all_[id / 2].event; }
  static bool is_of_strand(GenerationId id) { return id % 2; }
  // Those of strands are numbered from 0 on, too.
  static size_t number_of_strands(GenerationId id) { return id / 2; }
  // Of a block that is in use and begins there; 0 if there is none.
  GenerationId block(uint64_t addr) const;

 private:
  struct Piece {
    uint64_t end = 0;
    GenerationId id = 0;
  };
  // There may be millions.
  struct OfStrand {
    uint64_t event = 0;
    ThreadId thread;
    uint32_t stack = 0;  // of frames: 1 + index of the stack in all_, 1 if that was not told; 0: data
  };
  Generation of_strand(GenerationId id) const;
  GenerationId add(const OfStrand& g) {
    of_strands_.push_back(g);
    return static_cast<GenerationId>(2 * of_strands_.size() - 1);
  }
  GenerationId last() const { return static_cast<GenerationId>(2 * (all_.size() - 1)); }
  AddrRange begin(MemoryKind kind, const Event& e, uint64_t index, AddrRange range);
  AddrRange map(const Event& e, uint64_t index);
  AddrRange start_thread(const Event& e, uint64_t index);
  void end(uint64_t addr);
  void assign(AddrRange range, GenerationId id);

  std::vector<Generation> all_;              // by id / 2
  std::vector<OfStrand> of_strands_;         // by id / 2
  std::map<uint64_t, Piece> pieces_;         // by begin; disjoint
  std::map<uint32_t, GenerationId> stacks_;  // by thread
  uint64_t version_ = 0;
  std::array<AddrRange, 16> changed_;  // by version: where, lately
};

// For many look-ups: stacks and other memory are mostly accessed in turn.
class RecentGenerations {
 public:
  explicit RecentGenerations(const Generations& all) : all_(&all) {}

  GenerationId at(uint64_t addr) { return found(addr).id; }
  // Valid until the next question.
  const Generations::Found& found(uint64_t addr) {
    Looked& near = looked_[(addr >> 12) % looked_.size()];
    if (!near.found.range.contains(addr) || !all_->holds(near.found, near.version)) near.found = all_->at(addr);
    near.version = all_->version();
    return near.found;
  }

 private:
  struct Looked {
    uint64_t version = 0;
    Generations::Found found;
  };
  const Generations* all_;
  std::array<Looked, 256> looked_;
};

}  // namespace cdr::races

#endif
