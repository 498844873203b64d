// SPDX-License-Identifier: GPL-2.0-or-later
// What the second look at a trace collects: what every segment accessed of shared memory, and how segments are ordered.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_COLLECTED_H
#define CDRGRIND_ANALYSIS_RACES_CORE_COLLECTED_H

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/analysis/races/core/found_pairs.h"
#include "cdrgrind/analysis/races/core/generations.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/races/core/sites.h"

namespace cdr::races {

// What segments accessed that many have alike: each list is there once.
class SegmentClasses {
 public:
  using Id = uint32_t;
  struct Entry {
    StreamId stream = 0;
    Progression at;
    bool operator==(const Entry&) const = default;
  };

  // Of which there is one for equal entries.
  Id of(std::vector<Entry> entries);
  // The same for entries that were asked for before: what comes once needs no class.
  std::optional<Id> of_repeated(const std::vector<Entry>& entries);
  std::span<const Entry> entries(Id id) const { return classes_[id]; }
  size_t size() const { return classes_.size(); }
  // Stream i gets numbers[i]; none is looked for or made afterwards.
  void renumber(const std::vector<StreamId>& numbers);

 private:
  static uint64_t hash_of(const std::vector<Entry>& entries);
  std::optional<Id> find(const std::vector<Entry>& entries, uint64_t hash) const;
  Id add(std::vector<Entry> entries, uint64_t hash);

  std::deque<std::vector<Entry>> classes_;     // which do not move
  std::unordered_multimap<uint64_t, Id> ids_;  // by hash
  std::unordered_set<uint64_t> asked_;         // hashes
};

// What one thread's segments accessed, by segments: single entries, and classes that stand for several of one segment.
// There may be millions; most are single accesses. Of millions of strands each has few.
class ThreadAccesses {
 public:
  void add(const AccessEntry& e);
  // All that the segment has.
  void add_class(SegmentNumber segment, SegmentClasses::Id id);
  // Entries and classes.
  size_t size() const { return size_; }
  bool is_class(size_t i) const { return at(i).width == 0 && at(i).times == kIsClass; }
  SegmentClasses::Id class_of(size_t i) const { return at(i).other; }
  // Neither of classes.
  StreamId stream(size_t i) const { return at(i).stream; }
  AccessEntry operator[](size_t i) const;
  SegmentNumber segment(size_t i) const { return at(i).segment; }
  // The first that is not before the segment, or size().
  size_t first_in(SegmentNumber segment) const;
  // Without those of segments up to that one for which keeps(i) is false.
  template <class F>
  void forget(SegmentNumber last, F keeps) {
    ThreadAccesses kept;
    for (size_t i = 0; i < size_; ++i) {
      if (segment(i) <= last && !keeps(i)) continue;
      if (is_class(i))
        kept.add_class(segment(i), class_of(i));
      else
        kept.add((*this)[i]);
    }
    *this = std::move(kept);
  }
  // Stream i gets numbers[i].
  void renumber(const std::vector<StreamId>& numbers);
  // Gives back room that is left over. More may be added.
  void trim();

 private:
  struct Packed {
    uint64_t base = 0;
    StreamId stream = 0;
    SegmentNumber segment = 0;
    uint16_t width = 0, times = 0;  // of single accesses; width 0: see `other`, or of a class
    uint32_t other = 0;
  };
  struct Rest {
    std::vector<std::unique_ptr<Packed[]>> chunks;             // behind the first
    std::vector<Progression> others;                           // the first of them
    std::vector<std::unique_ptr<Progression[]>> other_chunks;  // and those behind
    size_t other_count = 0;
  };
  static constexpr uint16_t kIsClass = 1;
  static constexpr unsigned kChunkBits = 12;
  static constexpr size_t kChunk = size_t{1} << kChunkBits;
  static constexpr size_t kSpare = 4;  // one part of so many may be left over: strands' numbers come again and again
  const Progression& other(size_t i) const {
    return i < kChunk ? rest_->others[i] : rest_->other_chunks[(i >> kChunkBits) - 1][i & (kChunk - 1)];
  }
  uint32_t add_other(const Progression& p);
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

// Segments with which nothing that comes is concurrent: of them the pairs have been found, and only accesses of streams
// that race are still there.
struct PastSegments {
  std::vector<SegmentNumber> until;                          // by thread: up to that one
  std::array<std::optional<FoundPairs>, kOrderCount> found;  // by order; none: those of the order before

  SegmentNumber of(ThreadId t) const { return t.value < until.size() ? until[t.value] : 0; }
  FoundPairs pairs(Order order) const {
    for (auto o = static_cast<size_t>(order) + 1; o-- > 0;)
      if (found[o]) return *found[o];
    return {};
  }
};

struct Collected {
  Segments segments;
  AccessSets sets;
  SegmentClasses classes;
  Sites sites;
  Generations generations;
  std::unordered_map<GenerationId, HeapBlock> heap;
  std::vector<uint8_t> touched_by_program;  // 0 or 1, by generation: by other code than the runtime's
  uint64_t runtime_accesses = 0;            // to shared memory, left out
  std::unordered_set<GenerationId> files;   // memory that has locks which calls of stdio lock
  std::unordered_set<uint64_t> file_locks;  // where those lie
  std::vector<LateUse> late;                // in the order of their first
  std::multimap<GenerationId, LeftFrame> left_frames;
  std::set<CodeAddr> unknown_orders;  // atomic instructions, if it matters what their memory order is
  uint64_t hidden_accesses = 0;       // in hide regions, to shared memory
  PastSegments past;

  // Whether it is a block that code of one of the modules has allocated, as told by module.
  bool is_allocated_by(GenerationId id, const std::vector<bool>& modules) const {
    const auto block = heap.find(id);
    return block != heap.end() && modules[block->second.site.module.value];
  }
  // f(entry): all of the thread that is there, in the order of its segments.
  template <class F>
  void for_each_access(ThreadId t, F f) const {
    const ThreadAccesses& all = sets[t.value];
    for (size_t i = 0; i < all.size(); ++i) for_each_access_of(all, i, f);
  }
  // Of entry i, or of what the class i stands for.
  template <class F>
  void for_each_access_of(const ThreadAccesses& all, size_t i, F f) const {
    if (!all.is_class(i)) return f(all[i]);
    for (const SegmentClasses::Entry& e : classes.entries(all.class_of(i)))
      f(AccessEntry{e.stream, all.segment(i), e.at});
  }
  // f(entry): those from the segment on, without those of classes that came before; the segment is one that has it.
  template <class F>
  void for_each_kind_of_access(ThreadId t, SegmentNumber from, F f) const {
    const ThreadAccesses& all = sets[t.value];
    std::vector<bool> seen(classes.size());
    for (size_t i = all.first_in(from); i < all.size(); ++i) {
      if (all.is_class(i)) {
        if (seen[all.class_of(i)]) continue;
        seen[all.class_of(i)] = true;
      }
      for_each_access_of(all, i, f);
    }
  }
};

}  // namespace cdr::races

#endif
