// SPDX-License-Identifier: GPL-2.0-or-later
// Which positions of a string lie in loops that were picked: a bit each.
#ifndef CDRGRIND_ANALYSIS_LOOPS_COVERED_H
#define CDRGRIND_ANALYSIS_LOOPS_COVERED_H

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cdrgrind/analysis/common/big_array.h"

namespace cdr::loops {

// Not thread-safe.
class Covered {
 public:
  // None of `size` positions.
  void clear(uint32_t size) {
    words_.resize(size / 64 + 1);
    std::fill(words_.begin(), words_.end(), 0);
  }
  void cover(uint32_t begin, uint32_t end) {
    while (begin < end) {
      const uint32_t to = std::min(end, (begin / 64 + 1) * 64);
      words_[begin / 64] |= (~uint64_t{0} >> (64 - (to - begin))) << begin % 64;
      begin = to;
    }
  }
  // The first position from `at` on that is free, or that is not; `end` if there is none before it.
  uint32_t next_free(uint32_t at, uint32_t end) const { return next<true>(at, end); }
  uint32_t next_covered(uint32_t at, uint32_t end) const { return next<false>(at, end); }
  // Behind the last free position before `at`; `begin` if there is none from there on.
  uint32_t last_free(uint32_t begin, uint32_t at) const {
    while (at > begin) {
      const uint64_t word = ~words_[(at - 1) / 64] << (63 - (at - 1) % 64);
      if (word != 0) return std::max(begin, at - static_cast<uint32_t>(std::countl_zero(word)));
      at = (at - 1) / 64 * 64;
    }
    return begin;
  }

 private:
  template <bool free>
  uint32_t next(uint32_t at, uint32_t end) const {
    while (at < end) {
      const uint64_t word = (free ? ~words_[at / 64] : words_[at / 64]) >> at % 64;
      if (word != 0) return std::min(end, at + static_cast<uint32_t>(std::countr_zero(word)));
      at = (at / 64 + 1) * 64;
    }
    return end;
  }

  analysis::BigArray<uint64_t> words_;
};

}  // namespace cdr::loops

#endif
