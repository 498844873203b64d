// SPDX-License-Identifier: GPL-2.0-or-later
// Which modules are the C and C++ runtime, and what memory is theirs: their variables, the linkage tables that the
// dynamic linker fills, the control blocks of threads. Their accesses to it order nothing and race with nothing.
// What decides is the object that the code is in and the memory that it touches, never a function's name.
#ifndef CDRGRIND_ANALYSIS_RACES_POLICY_RUNTIME_CODE_H
#define CDRGRIND_ANALYSIS_RACES_POLICY_RUNTIME_CODE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/races/core/facts.h"
#include "cdrgrind/base/module_table.h"

namespace cdr::races {

// A set of addresses. sort() before contains().
class RangeSet {
 public:
  void add(AddrRange r) {
    if (!r.empty()) ranges_.push_back(r);
  }
  void sort();
  bool contains(uint64_t addr) const;
  // The range that the address is in, or the gap between two.
  struct Around {
    AddrRange range{0, 0};
    bool contained = false;
  };
  Around around(uint64_t addr) const;
  bool overlaps(AddrRange r) const;
  bool contains_all(AddrRange r) const {
    const Around at = around(r.begin);
    return at.contained && r.end <= at.range.end;
  }
  bool empty() const { return ranges_.empty(); }
  // All from the lowest to the highest.
  AddrRange hull() const { return empty() ? AddrRange{} : AddrRange{ranges_.front().begin, ranges_.back().end}; }
  // f(range) for what of `r` is in the set.
  template <class F>
  void common(AddrRange r, F f) const {
    for (auto at = first_behind(r.begin); at != ranges_.end() && at->begin < r.end; ++at)
      f(AddrRange{std::max(r.begin, at->begin), std::min(r.end, at->end)});
  }
  // Both sorted.
  RangeSet without(const RangeSet& others) const;

 private:
  // The first range that has the address, or a higher one.
  std::vector<AddrRange>::const_iterator first_behind(uint64_t addr) const {
    return std::partition_point(ranges_.begin(), ranges_.end(), [&](const AddrRange& r) { return r.end <= addr; });
  }

  std::vector<AddrRange> ranges_;  // sorted by begin, disjoint
};

// For who asks again near by.
class RecentRanges {
 public:
  explicit RecentRanges(const RangeSet& all) : all_(&all) {}
  bool contain(uint64_t addr) {
    RangeSet::Around& near = near_[(addr >> 12) % near_.size()];
    if (!near.range.contains(addr)) near = all_->around(addr);
    return near.contained;
  }

 private:
  const RangeSet* all_;
  std::array<RangeSet::Around, 64> near_;
};

// The C library, or what C and C++ programs have of the compiler.
bool is_runtime_library(const Module& m);
// The library of a parallel runtime.
bool is_parallel_runtime(const Module& m);

struct RuntimeCode {
  // `parallel`: the trace has operations of a parallel runtime; so its library is runtime, too.
  RuntimeCode(const ModuleTable& modules, CodeFacts& facts, bool parallel = false);

  // All that it accesses is its own: ld.so, what else Valgrind brings.
  bool is_aside(ModuleId m) const { return linker[m.value] || (shim[m.value] && !clib[m.value]); }

  bool parallel;
  std::vector<bool> library;  // by module: runtime or wrappers
  std::vector<bool> linker;   // ld.so
  std::vector<bool> shim;     // see shim_modules()
  std::vector<bool> clib;     // libc, libpthread, ld.so, and the preload, which has functions in libc's place
  std::vector<bool> team;     // a parallel runtime's library, if it is runtime
  std::vector<bool> atomics;  // libatomic: what it does to others' memory is atomic
  RangeSet data;              // of all libraries: their code's accesses there are their own
  RangeSet clib_data;         // mutexes there belong to libc and ld.so
  RangeSet unexported;        // of libc's data what nobody else can name
  // Of that, what the program's code accesses nevertheless: what functions like localtime() leave there for their
  // callers. It is nobody's own.
  RangeSet results;
  // .got and .got.plt of all modules, variables copied from libraries, and those of the C++ library, which templates of
  // its headers use: nobody races there.
  RangeSet linkage;
};

}  // namespace cdr::races

#endif
