// SPDX-License-Identifier: GPL-2.0-or-later
// What one instruction of a block accesses in executions that follow each other: a column of the table that has a row
// for each execution. Where the order of accesses of different executions does not matter, columns can be made one
// after the other.
#ifndef CDRGRIND_ANALYSIS_REGIONS_COLUMN_H
#define CDRGRIND_ANALYSIS_REGIONS_COLUMN_H

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/block_table.h"

namespace cdr::regions {

struct Column {
  Access access;
  std::span<const uint64_t> addrs;         // by execution
  uint64_t time = 0, step = 0;             // of the first access, and from one to the next
  std::span<const uint64_t> iterations{};  // when they begin: the one before the first access's, its own, …; empty: it
                                           // is the same one for all
  uint64_t number = 0;  // of the first access's iteration
};

// The addresses of each access, and whether each column can be made on its own.
class Columns {
 public:
  // `words`: of `times` executions. False: it cannot.
  template <class Words>
  bool fill(std::span<const Access> accesses, size_t times, Words words) {
    if (std::any_of(accesses.begin(), accesses.end(), [](const Access& a) { return a.guarded(); })) return false;
    times_ = times;
    addrs_.resize(accesses.size() * times);
    uint64_t* to = addrs_.data();
    for (const Access& a : accesses)
      for (size_t i = 0; i < times; ++i) *to++ = address_of(a, words(i));
    return are_apart(accesses);
  }
  std::span<const uint64_t> of(size_t access) const { return {addrs_.data() + access * times_, times_}; }

 private:
  struct Extent {
    uint64_t lowest = 0, highest = 0;
    int64_t step = 0;  // 0: there is no single one
  };
  bool are_apart(std::span<const Access> accesses);
  Extent extent_of(size_t access) const;
  bool are_apart(size_t a, size_t b, std::span<const Access> accesses) const;

  size_t times_ = 0;
  std::vector<uint64_t> addrs_;
  std::vector<Extent> extents_;
};

}  // namespace cdr::regions

#endif
