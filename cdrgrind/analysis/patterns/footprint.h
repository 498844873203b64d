// SPDX-License-Identifier: GPL-2.0-or-later
// The set of bytes that an instruction touches, exactly. Arithmetic progressions go in as such: neighbouring bytes are
// set a word at a time. 4 KiB of memory that is touched take 512 bytes.
#ifndef CDRGRIND_ANALYSIS_PATTERNS_FOOTPRINT_H
#define CDRGRIND_ANALYSIS_PATTERNS_FOOTPRINT_H

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/flat_map.h"

namespace cdr::patterns {

class Footprint {
 public:
  void add(uint64_t addr, uint64_t width) {
    while (width > 0) {
      const uint64_t offset = addr & (kPageBytes - 1);
      const uint64_t here = width < kPageBytes - offset ? width : kPageBytes - offset;
      set(*page(addr / kPageBytes), offset, here);
      addr += here;
      width -= here;
    }
  }
  // `count` accesses from `base` on.
  void add(uint64_t base, int64_t stride, uint64_t count, uint64_t width) {
    if (count == 0) return;
    if (stride < 0) {
      base += static_cast<uint64_t>(stride) * (count - 1);
      stride = -stride;
    }
    if (static_cast<uint64_t>(stride) <= width) return add(base, static_cast<uint64_t>(stride) * (count - 1) + width);
    for (uint64_t i = 0; i < count; ++i, base += static_cast<uint64_t>(stride)) add(base, width);
  }
  void add(const Footprint& other) {
    other.index_.for_each([&](uint64_t number, uint32_t i) {
      Page& to = *page(number);
      const Page& from = *other.pages_[i];
      for (size_t w = 0; w < to.size(); ++w) to[w] |= from[w];
    });
  }

  uint64_t bytes() const {
    uint64_t n = 0;
    for (const auto& p : pages_)
      for (const uint64_t w : *p) n += static_cast<uint64_t>(std::popcount(w));
    return n;
  }
  // Lines of 64 bytes: a word of the bitmap each.
  uint64_t lines() const {
    uint64_t n = 0;
    for (const auto& p : pages_)
      for (const uint64_t w : *p) n += w != 0;
    return n;
  }
  // Bytes of this set in the lines that the other one touches.
  uint64_t bytes_in_lines_of(const Footprint& other) const {
    uint64_t n = 0;
    other.index_.for_each([&](uint64_t number, uint32_t i) {
      const uint32_t* mine = index_.find(number);
      if (!mine) return;
      const Page &here = *pages_[*mine], &lines = *other.pages_[i];
      for (size_t w = 0; w < here.size(); ++w)
        if (lines[w] != 0) n += static_cast<uint64_t>(std::popcount(here[w]));
    });
    return n;
  }

 private:
  static constexpr uint64_t kPageBytes = 4096;
  using Page = std::array<uint64_t, kPageBytes / 64>;

  static void set(Page& p, uint64_t offset, uint64_t width) {
    while (width > 0) {
      const uint64_t bit = offset & 63, here = width < 64 - bit ? width : 64 - bit;
      const uint64_t mask = here == 64 ? ~uint64_t{0} : ((uint64_t{1} << here) - 1) << bit;
      p[offset / 64] |= mask;
      offset += here;
      width -= here;
    }
  }
  Page* page(uint64_t number) {
    if (number == recent_number_ && recent_) return recent_;
    const auto [at, is_new] = index_.insert(number);
    if (is_new) {
      *at = static_cast<uint32_t>(pages_.size());
      pages_.push_back(std::make_unique<Page>());
    }
    recent_number_ = number;
    return recent_ = pages_[*at].get();
  }

  FlatMap<uint64_t, uint32_t> index_;
  std::vector<std::unique_ptr<Page>> pages_;
  uint64_t recent_number_ = 0;
  Page* recent_ = nullptr;
};

}  // namespace cdr::patterns

#endif
