// SPDX-License-Identifier: GPL-2.0-or-later
// What a segment accessed, as progressions. A *stream* is the accesses of one instruction in one generation of
// memory; addresses come in one by one and are folded as they come.
//
// Canonical form of a stream's addresses in a segment: sorted; equal ones counted in `times`; equal distances
// made progressions, from the lowest on. So a loop that runs over the same array again takes no more room, and in
// which order and pieces the addresses came does not matter. Only where runs overlap their addresses are sorted one by
// one; if these are too many they stay runs as they came, equal ones counted.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_ACCESS_SET_H
#define CDRGRIND_ANALYSIS_RACES_CORE_ACCESS_SET_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/walk/progression.h"

namespace cdr::races {

using analysis::Progression;

using StreamId = uint32_t;

struct AccessEntry {
  StreamId stream = 0;
  SegmentNumber segment = 0;  // the first that has it
  Progression at;
};

// Sorts by stream and address, counts equal progressions together.
void merge_equal(std::vector<AccessEntry>& entries);

// Folds the addresses of one stream.
class Folder {
 public:
  void add(uint64_t addr, uint64_t width) {
    if (run_.width == width && count_ != 0 && extend(addr)) {
      ++count_;
      return;
    }
    begin_run(addr, width);
  }
  // Runs that are the canonical form of something.
  void add_folded(std::span<const Progression> runs);
  // The canonical form; empty again afterwards.
  std::vector<Progression> take();
  // f(each progression of it)
  template <class F>
  void take(F f) {
    if (!runs_.empty()) {
      for (const Progression& p : take()) f(p);
      return;
    }
    if (count_ != 0 && run_.width != 0) f(run_);
    count_ = 0;
    folded_ = false;
    run_ = {};
  }

 private:
  bool extend(uint64_t addr) {
    if (run_.count == 1 && addr == run_.base) {
      ++run_.times;
      return true;
    }
    if (run_.times != 1) return false;
    if (run_.count == 1 && addr > run_.base) run_.stride = addr - run_.base;
    if (addr != run_.base + run_.stride * run_.count) return false;
    ++run_.count;
    return true;
  }
  void begin_run(uint64_t addr, uint64_t width);
  void compact();

  Progression run_;
  uint64_t count_ = 0;   // of accesses in or before run_
  bool folded_ = false;  // runs_ is a canonical form, and there is no run_
  std::vector<Progression> runs_;
  size_t compact_at_ = 65536;  // runs
};

// Canonical form of progressions of one width.
std::vector<Progression> folded(std::vector<Progression> runs);

}  // namespace cdr::races

#endif
