// SPDX-License-Identifier: GPL-2.0-or-later
// What is found out about loops in one replay of a trace: their instances and iterations, and the dependences that they
// carry, with distances. docs/advice.md has the definitions.
#ifndef CDRGRIND_ANALYSIS_REGIONS_CARRIED_H
#define CDRGRIND_ANALYSIS_REGIONS_CARRIED_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/contexts.h"
#include "cdrgrind/analysis/regions/long_calls.h"

namespace cdr::regions {

enum class Kind : uint8_t { kRaw, kWar, kWaw };

// A piece of memory that has a name of its own, or comes from one place.
struct Object {
  enum class Kind : uint8_t {
    kNone,
    kRegister,  // id: chunk
    kFrame,     // of the loop's activation; places are relative to the canonical frame address
    kCaller,    // of an activation around it; id: how far up
    kCallee,    // of an activation below
    kStatic,    // id: the caller's number of the variable
    kHeap,      // id: number of its allocation
    kLibrary,   // what a library keeps for itself
    kOther,
  };
  Kind kind = Kind::kNone;
  uint32_t id = 0;
  auto operator<=>(const Object&) const = default;
};

class Distances {
 public:
  static constexpr size_t kBuckets = 16;

  void add(uint64_t distance, uint64_t times = 1) {
    count(bucket_of(distance), times);
    least = std::min(least, distance);
    greatest = std::max(greatest, distance);
  }
  void add(const Distances& o) {
    const auto more = o.counts();
    for (size_t i = 0; i < kBuckets; ++i)
      if (more[i]) count(i, more[i]);
    least = std::min(least, o.least);
    greatest = std::max(greatest, o.greatest);
  }
  std::array<uint64_t, kBuckets> counts() const;  // of 1, 2, 3 and 4, 5 to 8 …

  uint64_t least = ~uint64_t{0}, greatest = 0;

 private:
  static size_t bucket_of(uint64_t distance) {
    return std::min<size_t>(static_cast<size_t>(std::bit_width(distance - 1)), kBuckets - 1);
  }
  void count(size_t bucket, uint64_t times) {
    if (counts_.empty()) {
      if (alone_ == 0 || bucket == bucket_) {
        bucket_ = bucket;
        alone_ += times;
        return;
      }
      spread();
    }
    counts_[bucket] += times;
  }
  void spread();

  // Mostly one bucket has all.
  size_t bucket_ = 0;
  uint64_t alone_ = 0;
  std::vector<uint64_t> counts_;
};

struct CarriedRow {
  LoopId loop;
  ContextIndex context = 0;  // of the activation that the loop is in
  Kind kind = Kind::kRaw;
  SiteIndex source = 0, target = 0;
  Object object;
  int64_t lowest = INT64_MAX, highest = INT64_MIN;  // first and last byte: addresses, or relative (Object::kFrame)
  uint64_t widest = 0;                              // bytes of an access
  // Of target accesses. One that has sources of several rows with the same ends is counted in one of them, by the
  // nearest.
  uint64_t count = 0;
  Distances distances;
  // Of a WAR: whether the source had read what its own iteration wrote, or what was there before the loop. By cells
  // (shadow.h): 0 or not is what it tells.
  uint64_t read_own = 0, read_before = 0;
  uint64_t interval = 0;  // the greatest (place of the source - place of the target) / distance, in instructions
  // For the replay.
  uint32_t ends = 0;  // RowEnds
  uint32_t next = 0;  // row of the same sites
};

// Values that the instruction of a loop's row stored in it and that were read when it was over.
struct Escape {
  LoopId loop;
  SiteIndex store = 0;
  bool by_last = false, by_others = false;  // iteration
};

// A load that read, in the loop, what was there before it.
struct EntryRead {
  LoopId loop;  // the outermost of those for which that is so
  SiteIndex load = 0;
  Object object;
  int64_t lowest = INT64_MAX, highest = INT64_MIN;  // as of CarriedRow
};

// A load in a loop has read what the store left.
struct Flow {
  SiteIndex store = 0, load = 0;
  auto operator<=>(const Flow&) const = default;
};

// A dependence within one activation, or one iteration of a loop there, between two loops within it, or between such a
// loop and code beside the loops. What stands for a loop is like one: a library's function, and an instruction that
// repeats itself. Of the ends one such dependence is kept, the first.
struct Between {
  LoopId from, to;           // the outermost ones below what the ends have in common; none: beside the loops
  ContextIndex context = 0;  // of the activation
  Kind kind = Kind::kRaw;
  SiteIndex source = 0, target = 0;
  Object object;
  int64_t lowest = 0, highest = 0;  // as of CarriedRow
  uint64_t time = 0, addr = 0;
};

enum SystemUse : uint8_t { kUsesInput = 1, kUsesOutput = 2, kUsesProcess = 4 };

struct LoopRun {
  uint64_t instances = 0, with_iterations = 0;  // of two or more
  uint64_t empty = 0;                           // instances that the head left before any iteration
  uint64_t iterations = 0;
  uint64_t instructions = 0;  // of the outermost instances
  uint64_t longest_iteration = 0;
  uint64_t beside = 0;    // of the instructions those of instances beside which others ran already (LoopListener)
  uint64_t parallel = 0;  // instructions that would be left for so many threads as were asked about
  uint32_t open = 0;
  bool starts_threads = false, keeps_locks = false;
  uint8_t system = 0;          // SystemUse in any iteration
  uint8_t carries_system = 0;  // in two of one instance
};

struct Regions {
  explicit Regions(const BlockTable& blocks) : contexts(blocks) {}
  Contexts contexts;
  std::vector<LoopRun> runs;  // by loop
  std::vector<CarriedRow> rows;
  std::vector<Escape> escapes;
  std::vector<EntryRead> entry_reads;
  std::vector<Between> between;
  std::vector<Flow> flows;  // those with both ends in one instance of an outermost loop, each once
  // By number: the program's calls that allocated a block, innermost first, out to the one that does not hand it on.
  std::vector<std::vector<CodeAddr>> allocations;
  CallerRuns callers;
  uint64_t instructions = 0, accesses = 0;
};

}  // namespace cdr::regions

#endif
