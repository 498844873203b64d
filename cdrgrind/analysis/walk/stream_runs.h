// SPDX-License-Identifier: GPL-2.0-or-later
// The values of an address stream as progressions, taken from the grammar of its differences: what a rule repeats at
// the same place is there once, with the number of times. In no order.
#ifndef CDRGRIND_ANALYSIS_WALK_STREAM_RUNS_H
#define CDRGRIND_ANALYSIS_WALK_STREAM_RUNS_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/analysis/walk/progression.h"
#include "cdrgrind/trace/index/address_index.h"

namespace cdr::analysis {

class StreamRuns {
 public:
  explicit StreamRuns(trace::AddressIndex& index) : index_(index) {}

  // Values [begin, end), one byte wide; valid until the next call.
  const std::vector<Progression>& of(const trace::AddressStream& s, uint64_t begin, uint64_t end);
  const std::vector<Progression>& of(std::span<const trace::AddressPiece> pieces);
  // f(some of the runs): the same, a part at a time, which is gone afterwards. Nothing else is asked until the end.
  template <class F>
  void for_each_part(const trace::AddressStream& s, uint64_t begin, uint64_t end, F f) {
    runs_.clear();
    const auto hand_over = [&](size_t least) {
      if (runs_.size() < least) return;
      f(std::span<const Progression>(runs_));
      runs_.clear();
    };
    index_.pieces(s, begin, end, true, [&](const trace::AddressPiece& p) {
      take(p, 1);
      for (; !open_.empty(); hand_over(kMostAtOnce)) open_last();
      hand_over(kMostAtOnce);
    });
    hand_over(1);
  }
  // What all values [begin, end), one at least, are; none if they differ, or there are not so many.
  std::optional<uint64_t> only_value(const trace::AddressStream& s, uint64_t begin, uint64_t end);
  // Of a piece.
  uint64_t first_value(const trace::AddressPiece& piece) const;

 private:
  static constexpr size_t kMostAtOnce = 4096;  // or what one more rule has
  void open_all();
  void open_last();
  struct Open {
    uint32_t rule = 0;
    uint64_t base = 0, times = 1;
  };
  void take(const trace::AddressPiece& p, uint64_t times);
  void add(const trace::AddressPiece& p, uint64_t times);

  trace::AddressIndex& index_;
  std::vector<Progression> runs_;
  std::vector<Open> open_;
};

// Addresses and bytes of values that lie `by` further, `width` wide.
inline Progression moved(Progression p, uint64_t by, uint64_t width) {
  p.base += by;
  p.width = width;
  return p;
}

}  // namespace cdr::analysis

#endif
