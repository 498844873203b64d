// SPDX-License-Identifier: GPL-2.0-or-later
// Strata (Gorton 2008): a thread's basic blocks as cyclic paths, cycles of repeated paths as strata of layer 0,
// cycles of repeated strata of layer N as strata of layer N+1. What comes out is lossless: every cycle once, when
// it is first seen, and what is left at the top of each thread, a sequence of repeated cycles of the highest layer.
//
// Level 0 are the paths, level N+1 the strata of layer N. Ids are serial for each level, over all threads.
// Memory is bounded: when the tables take more than they may, the largest is begun anew, which loses nothing but
// finds cycles again that were found before (LayerTotals::epochs says so).
#ifndef CDRGRIND_ANALYSIS_PATHS_STRATA_H
#define CDRGRIND_ANALYSIS_PATHS_STRATA_H

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/analysis/paths/cycle_table.h"
#include "cdrgrind/analysis/paths/cycles.h"
#include "cdrgrind/base/id.h"

namespace cdr::paths {

class StrataSink {
 public:
  // A cycle of the level that is seen for the first time: the next id. `text` as write_cycle() makes it; its
  // elements are basic blocks, or cycles of the level below.
  virtual void cycle(unsigned level, std::span<const uint8_t> text) = 0;
  // The thread's next repeated cycle of the highest level.
  virtual void top(ThreadId thread, Element e) = 0;

 protected:
  ~StrataSink() = default;
};

struct StrataOptions {
  unsigned layers = 0;                    // above the layer 0 of strata
  size_t table_bytes = size_t{96} << 20;  // together
};

struct LayerTotals {
  uint64_t executions = 0;  // of cycles
  uint64_t repeated = 0;    // groups of equal cycles in succession
  uint64_t elements = 0;    // in all executions
  uint64_t unique = 0;      // cycles that are different, in each epoch
  uint64_t epochs = 1;

  // Those that follow an execution of the same cycle.
  uint64_t consecutive() const { return executions - repeated; }
  double mean_length() const {
    return executions ? static_cast<double>(elements) / static_cast<double>(executions) : 0;
  }
};

// How many cycles have so many elements and are executed so often. Counts are kept to three digits.
struct CyclePoint {
  uint32_t length = 0;
  uint64_t executions = 0;
  auto operator<=>(const CyclePoint&) const = default;
};
using CyclePoints = std::map<CyclePoint, uint64_t>;

// Not thread-safe.
class Strata {
 public:
  // `sink` must outlive it.
  Strata(const StrataOptions& options, StrataSink& sink)
      : options_(options), sink_(sink), levels_(options.layers + 2) {}

  void block(ThreadId thread, uint32_t block) {
    if (thread.value >= threads_.size()) [[unlikely]]
      open_thread(thread);
    ++blocks_;
    threads_[thread.value]->front().add({block, 1}, Up{*this, thread, 0});
  }
  // The path that is open ends here; of all threads without one.
  void cut(ThreadId thread);
  // No more blocks.
  void finish();

  uint64_t blocks() const { return blocks_; }
  unsigned levels() const { return static_cast<unsigned>(levels_.size()); }
  LayerTotals totals(unsigned level) const;
  // After finish().
  const CyclePoints& points(unsigned level) const { return levels_[level].points; }
  // The most that tables and open cycles took.
  size_t most_bytes() const { return most_bytes_; }

 private:
  struct Level {
    CycleTable table;
    std::vector<uint64_t> executions;  // by id, of this epoch
    std::vector<uint32_t> lengths;
    LayerTotals totals;
    CyclePoints points;
    size_t bytes() const {
      return table.bytes() + executions.size() * sizeof(uint64_t) + lengths.size() * sizeof(uint32_t);
    }
  };
  // Takes what a level gives up to the next.
  struct Up {
    Strata& strata;
    ThreadId thread;
    unsigned level;
    void operator()(std::span<const Element> cycle, uint64_t count) const { strata.take(thread, level, cycle, count); }
  };
  using Cutters = std::vector<CycleCutter>;  // by level

  void open_thread(ThreadId thread);
  void take(ThreadId thread, unsigned level, std::span<const Element> cycle, uint64_t count);
  uint64_t learn(unsigned level, std::span<const Element> cycle, uint64_t count);
  void limit_tables();
  void end_epoch(Level& level);

  StrataOptions options_;
  StrataSink& sink_;
  std::vector<Level> levels_;
  std::vector<std::unique_ptr<Cutters>> threads_ = std::vector<std::unique_ptr<Cutters>>(1);
  uint64_t blocks_ = 0;
  size_t most_bytes_ = 0;
};

}  // namespace cdr::paths

#endif
