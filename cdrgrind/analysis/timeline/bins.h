// SPDX-License-Identifier: GPL-2.0-or-later
// Intervals of time summed up in bins of equal width, for pictures. How long the run is need not be known: when there
// are too many bins, each two become one. So the width is a power of two, and the sums are exact.
#ifndef CDRGRIND_ANALYSIS_TIMELINE_BINS_H
#define CDRGRIND_ANALYSIS_TIMELINE_BINS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace cdr::timeline {

// The width of bins: at least 1, twice as much each time they are too many.
class BinWidth {
 public:
  explicit BinWidth(size_t most) : most_(most) {}
  uint64_t value() const { return uint64_t{1} << shift_; }
  size_t bin_of(uint64_t at) const { return at >> shift_; }
  // Whether `at` lies behind the last bin that there may be.
  bool is_beyond(uint64_t at) const { return bin_of(at) >= most_; }
  void double_it() { ++shift_; }

 private:
  size_t most_;
  unsigned shift_ = 0;
};

// How much of each bin intervals cover, and how many points lie in each. Not thread-safe.
class Bins {
 public:
  explicit Bins(size_t most) : width_(most) {}

  // Half-open. Several may overlap: then both count.
  void add(uint64_t begin, uint64_t end);
  void add_point(uint64_t at);
  uint64_t width() const { return width_.value(); }
  const std::vector<uint64_t>& sums() const { return sums_; }
  // The same in wider bins; `width` is a power of two, no less than width().
  std::vector<uint64_t> in(uint64_t width) const;

 private:
  void make_room(uint64_t at);

  BinWidth width_;
  std::vector<uint64_t> sums_;
};

// How often things, numbered from 0, happened in each bin; few happen in one.
class SparseBins {
 public:
  explicit SparseBins(size_t most) : width_(most) {}

  // `at` never decreases.
  void add(uint64_t at, uint32_t thing, uint64_t times) {
    if (at >= end_) next_bin(at);
    if (thing >= now_.size()) now_.resize(thing + 1);
    if (now_[thing] == 0) touched_.push_back(thing);
    now_[thing] += times;
  }
  void finish();
  uint64_t width() const { return width_.value(); }
  // By bin.
  const std::vector<std::map<uint32_t, uint64_t>>& bins() const { return bins_; }

 private:
  void next_bin(uint64_t at);

  BinWidth width_;
  uint64_t begin_ = 0, end_ = 1;  // of the present bin
  std::vector<uint64_t> now_;     // in it, by thing
  std::vector<uint32_t> touched_;
  std::vector<std::map<uint32_t, uint64_t>> bins_;
};

}  // namespace cdr::timeline

#endif
