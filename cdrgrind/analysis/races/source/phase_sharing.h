// SPDX-License-Identifier: GPL-2.0-or-later
// Which memory two of some actors touch, at least one of them with a store, within a phase of the run: what was touched
// before it is over. Actors have numbers that grow, and each phase a floor: no greater than those that belong to it,
// greater than those before. By words of 4 bytes, whatever the generation.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_PHASE_SHARING_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_PHASE_SHARING_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/range.h"

namespace cdr::races {

class PhaseSharing {
 public:
  struct Actor {
    uint32_t number = 0, floor = 0;  // 0: none
  };
  // The n-th one, from 1 on.
  static uint32_t number_of(uint64_t n) { return static_cast<uint32_t>((n - 1) % (kMost - 1) + 1); }

  void touch(Actor by, uint64_t addr, uint64_t width, bool store) {
    const uint64_t last = (addr + width - 1) >> kWordBits;
    for (uint64_t word = addr >> kWordBits; word <= last;) {
      Page& p = page(word >> kPageBits);
      const uint64_t first = word & (kPageWords - 1), end = std::min(kPageWords, first + last + 1 - word);
      for (uint64_t i = first; i < end; ++i) touch(by, p[i], store);
      word += end - first;
    }
  }
  bool shared(uint64_t addr, uint64_t width) const {
    const uint64_t last = (addr + width - 1) >> kWordBits;
    return first_word(addr >> kWordBits, last, true) <= last;
  }
  // As many of these bytes, from the first one on, as lie in words that are all shared, or none of them.
  uint64_t alike(uint64_t addr, uint64_t width) const {
    const uint64_t word = addr >> kWordBits, last = (addr + width - 1) >> kWordBits;
    if (word == last) return width;
    const uint64_t other = first_word(word, last, !shared(addr, 1));
    return other > last ? width : (other << kWordBits) - addr;
  }
  // Appends the bytes of shared words, in no order; most neighbours are one range.
  void append_shared(std::vector<AddrRange>& to) const {
    pages_.for_each([&](uint64_t number, uint32_t p) {
      const uint64_t first = number << kPageBits;
      for (uint64_t i = 0; i < kPageWords; ++i)
        if (((*all_[p])[i] & kShared) == kShared)
          append_range(to, {(first + i) << kWordBits, (first + i + 1) << kWordBits});
    });
  }

 private:
  static constexpr unsigned kWordBits = 2, kPageBits = 8, kNumberShift = 2;
  static constexpr uint64_t kPageWords = uint64_t{1} << kPageBits;
  static constexpr uint32_t kStored = 1, kMany = 2, kShared = kStored | kMany, kMost = 1U << 30;
  using Page = std::array<uint32_t, kPageWords>;

  // That is shared, or is not; behind the last one: none is so.
  uint64_t first_word(uint64_t word, uint64_t last, bool shared) const {
    while (word <= last) {
      const uint64_t end = std::min(last + 1, ((word >> kPageBits) + 1) << kPageBits);
      const uint32_t* const p = pages_.find(word >> kPageBits);
      if (!p && !shared) return word;
      for (; p && word < end; ++word)
        if (is_shared((*all_[*p])[word & (kPageWords - 1)]) == shared) return word;
      word = end;
    }
    return word;
  }
  static bool is_shared(uint32_t state) { return (state & kShared) == kShared; }
  static void touch(Actor by, uint32_t& state, bool store) {
    if (is_shared(state)) return;
    const uint32_t before = state >> kNumberShift;
    if (before < by.floor)
      state = by.number << kNumberShift;
    else if (before != by.number)
      state = by.number << kNumberShift | (state & kStored) | kMany;
    state |= store ? kStored : 0;
  }
  Page& page(uint64_t number) {
    if (recent_ && recent_number_ == number) return *recent_;
    const auto [i, added] = pages_.insert(number);
    if (added) {
      *i = static_cast<uint32_t>(all_.size());
      all_.push_back(std::make_unique<Page>());
    }
    recent_number_ = number;
    recent_ = all_[*i].get();
    return *recent_;
  }

  FlatMap<uint64_t, uint32_t> pages_;  // by number: index in all_
  std::vector<std::unique_ptr<Page>> all_;
  uint64_t recent_number_ = 0;
  Page* recent_ = nullptr;
};

}  // namespace cdr::races

#endif
