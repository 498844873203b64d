// SPDX-License-Identifier: GPL-2.0-or-later
// What each thread's blocks touched of memory in one epoch of a compact trace, taken from the grammars of its address
// streams: every address once, however often it was touched.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_EPOCH_FOOTPRINT_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_EPOCH_FOOTPRINT_H

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/races/source/frame_bases.h"
#include "cdrgrind/analysis/races/source/sharing.h"
#include "cdrgrind/analysis/races/source/value_spans.h"
#include "cdrgrind/analysis/walk/stream_runs.h"

namespace cdr::races {

using analysis::Progression;
using analysis::StreamRuns;

// All that a thread touched by one access of a block lies in here, or in others of the same access.
struct AccessHull {
  ThreadId thread;
  BlockId block;
  uint32_t epoch = 0;
  uint16_t access = 0;
  bool store = false;
  bool exact = true;  // else it was not touched address by address
  AddrRange range;
  uint64_t values = 0;      // of its stream, if it has one
  uint64_t executions = 0;  // of the block by the thread, in the epoch
};

// How the words of a thread's relative streams become addresses.
struct FrameOf {
  ThreadId thread;
  BlockId block;
  std::optional<uint64_t> sp;             // none: it differs from execution to execution
  uint64_t low = 0, high = ~uint64_t{0};  // then it lies in between
  bool anywhere() const { return high - low > kWidest; }
  static constexpr uint64_t kWidest = uint64_t{1} << 32;
};
// Null if there is none. `frames` are sorted.
const FrameOf* frame_of(std::span<const FrameOf> frames, ThreadId thread, BlockId id);

class EpochFootprint {
 public:
  // f(thread, block, access, plus, some addresses): of each access all that the epoch has, if it is known address by
  // address. Addresses are `plus` more than the stream's values.
  using Visit = std::function<void(ThreadId, BlockId, const Access&, uint64_t, std::span<const Progression>)>;

  EpochFootprint(const trace::TraceFile& file, uint32_t number, trace::EpochIndex& epoch)
      : file_(file), number_(number), epoch_(epoch), runs_(epoch.addresses()) {}

  // Adds to `hulls` what was touched. `uses`: of all blocks with words.
  void collect(const std::vector<FrameBases::Use>& uses, const FrameBases& bases, const Visit& visit,
               std::vector<AccessHull>& hulls, std::vector<FrameOf>& frames);
  // By string, block; once collected.
  const std::vector<std::vector<uint64_t>>& executions() const { return executions_; }

 private:
  struct Spread {  // of the SPs of a base
    uint64_t low = ~uint64_t{0}, high = 0;
    bool known = true;
    void add(const Spread& s) {
      low = std::min(low, s.low);
      high = std::max(high, s.high);
      known &= s.known;
    }
    bool one() const { return known && low == high; }
  };
  static constexpr Spread kAnywhere{0, ~uint64_t{0}, false};
  // Values that may lie below what they are relative to.
  struct Outline {
    ValueSpans spans;
    size_t runs = 0;
    Progression last;
    bool is_one() const { return runs == 1 && last.count == 1; }
  };
  void collect_thread(ThreadId thread, uint32_t string);
  void collect_block(ThreadId thread, BlockId id, uint64_t executions);
  std::span<const FrameBases::Use> uses_of(ThreadId thread, BlockId id);
  Spread spread_of(FrameBase b);
  Spread spread_of_block(const FrameBases::Base& base);
  Spread spread_of(std::span<const FrameBases::Use> uses);
  Outline outline_of(const trace::AddressStream& s, uint64_t values);
  // Of these accesses of the block, which have their addresses from one stream.
  using Numbers = std::span<const uint16_t>;
  void absolute(ThreadId thread, BlockId id, Numbers numbers, uint64_t plus, const trace::AddressStream& s,
                uint64_t values);
  void relative(ThreadId thread, BlockId id, Numbers numbers, const trace::AddressStream& s, uint64_t values);
  void visit(ThreadId thread, BlockId id, uint16_t number, uint64_t plus, std::span<const Progression> values,
             AddrRange& hull);
  void note_inexact(ThreadId thread, BlockId id, uint16_t number, const Spread& sp, const ValueSpans& values,
                    uint64_t count);
  void note(ThreadId thread, BlockId id, uint16_t number, AddrRange range, bool exact, uint64_t values);

  const trace::TraceFile& file_;
  uint32_t number_;
  trace::EpochIndex& epoch_;
  StreamRuns runs_;
  const std::vector<FrameBases::Use>* uses_ = nullptr;
  const FrameBases* bases_ = nullptr;
  const Visit* visit_ = nullptr;
  std::vector<AccessHull>* hulls_ = nullptr;
  std::vector<std::optional<Spread>> spreads_;     // by base
  std::vector<std::vector<uint64_t>> executions_;  // by string, block
  std::vector<Progression> addresses_;
  std::span<const FrameBases::Use> of_block_;
  uint64_t executions_of_block_ = 0;
};

AddrRange hull_of(std::span<const Progression> runs);

}  // namespace cdr::races

#endif
