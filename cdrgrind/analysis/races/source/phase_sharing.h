// SPDX-License-Identifier: GPL-2.0-or-later
// Which memory two of some actors touch, at least one of them with a store, within a phase of the run: what was touched
// before it is over. Actors have numbers that grow, and each phase a floor: no greater than those that belong to it,
// greater than those before. By words of 4 bytes.
//
// Memory has lives: what was shared before a block began there says nothing about that block. A question names the
// event that began the memory it is about (Generations::begun()), and is about memory that somebody has touched in that
// life.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_PHASE_SHARING_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_PHASE_SHARING_H

#include <algorithm>
#include <array>
#include <bitset>
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
      for (uint64_t i = first; i < end; ++i) touch(by, p.words[i], store);
      word += end - first;
    }
  }
  // Memory that the event begins. Events come in their order.
  void begin(AddrRange memory, uint64_t event) {
    if (memory.empty()) return;
    const uint64_t first = memory.begin >> kWordBits, last = (memory.end - 1) >> kWordBits;
    bool noted = false;
    const auto begin_in = [&](uint64_t number, uint32_t p) {
      if (!noted) begun_.push_back(event);
      noted = true;
      const uint64_t at = number << kPageBits;
      begin_words(*all_[p], first > at ? first - at : 0, std::min(kPageWords - 1, last - at));
    };
    const uint64_t first_page = first >> kPageBits, last_page = last >> kPageBits;
    if (last_page - first_page >= pages_.size()) {
      pages_.for_each([&](uint64_t number, uint32_t p) {
        if (number >= first_page && number <= last_page) begin_in(number, p);
      });
      return;
    }
    for (uint64_t number = first_page; number <= last_page; ++number)
      if (const uint32_t* const p = pages_.find(number)) begin_in(number, *p);
  }
  bool shared(uint64_t addr, uint64_t width, uint64_t begun) const {
    return any_word(addr, width, [&](const Page& page, uint64_t i) { return is_shared(page, i, begun); });
  }
  // In any life.
  bool ever_shared(uint64_t addr, uint64_t width) const {
    return any_word(addr, width, [](const Page& page, uint64_t i) { return ever_shared(page, i); });
  }
  // As many of these bytes, from the first one on, as lie in words that are all shared, or none of them.
  uint64_t alike(uint64_t addr, uint64_t width, uint64_t begun) const {
    const uint64_t word = addr >> kWordBits, last = (addr + width - 1) >> kWordBits;
    if (word == last) return width;
    const uint64_t other = first_word(word, last, !shared(addr, 1, begun),
                                      [&](const Page& page, uint64_t i) { return is_shared(page, i, begun); });
    return other > last ? width : (other << kWordBits) - addr;
  }
  // Appends the bytes of words that were shared in any of their lives, in no order; most neighbours are one range.
  void append_shared(std::vector<AddrRange>& to) const {
    pages_.for_each([&](uint64_t number, uint32_t p) {
      const uint64_t first = number << kPageBits;
      const Page& page = *all_[p];
      for (uint64_t i = 0; i < kPageWords; ++i)
        if (ever_shared(page, i)) append_range(to, {(first + i) << kWordBits, (first + i + 1) << kWordBits});
    });
  }

 private:
  static constexpr unsigned kWordBits = 2, kPageBits = 8, kNumberShift = 2;
  static constexpr uint64_t kPageWords = uint64_t{1} << kPageBits;
  static constexpr uint32_t kStored = 1, kMany = 2, kShared = kStored | kMany, kMost = 1U << 30;
  // Words of a page that were shared in the life that began at event `from`, and ended at another one.
  struct Shared {
    uint8_t first = 0, last = 0;
    uint64_t from = 0, until = 0;
  };
  struct Lives {
    std::array<uint32_t, kPageWords> present = {};  // by word: number of its present life, 0: of the first one
    std::vector<Shared> over;                       // by `until`
    std::bitset<kPageWords> was_shared;
  };
  struct Page {
    std::array<uint32_t, kPageWords> words = {};
    std::unique_ptr<Lives> lives;  // null: memory has not begun there since it was touched
  };

  // All begin by the last one of `begun_`.
  void begin_words(Page& page, uint64_t first, uint64_t last) {
    if (!page.lives) page.lives = std::make_unique<Lives>();
    Lives& lives = *page.lives;
    for (uint64_t i = first; i <= last; ++i) {
      if (is_shared(page.words[i])) {
        lives.was_shared[i] = true;
        const uint64_t from = begun_by(lives.present[i]), until = begun_.back();
        Shared* const before = lives.over.empty() ? nullptr : &lives.over.back();
        if (before && before->until == until && before->from == from && before->last + 1U == i)
          before->last = static_cast<uint8_t>(i);
        else
          lives.over.push_back({static_cast<uint8_t>(i), static_cast<uint8_t>(i), from, until});
      }
      page.words[i] = 0;
      lives.present[i] = static_cast<uint32_t>(begun_.size());
    }
  }
  // The event that began a life.
  uint64_t begun_by(uint32_t life) const { return life == 0 ? 0 : begun_[life - 1]; }
  static bool was_shared(const Lives& lives, uint64_t i, uint64_t begun) {
    if (!lives.was_shared[i]) return false;
    const auto after = std::partition_point(lives.over.begin(), lives.over.end(),
                                            [begun](const Shared& s) { return s.until <= begun; });
    const auto own =
        std::find_if(after, lives.over.end(), [i](const Shared& s) { return s.first <= i && i <= s.last; });
    return own != lives.over.end() && own->from <= begun;
  }
  // f(page, index): whether a word is something; none is where nobody has been.
  template <class F>
  bool any_word(uint64_t addr, uint64_t width, F f) const {
    const uint64_t last = (addr + width - 1) >> kWordBits;
    return first_word(addr >> kWordBits, last, true, f) <= last;
  }
  // That is so, or is not; behind the last one: none is.
  template <class F>
  uint64_t first_word(uint64_t word, uint64_t last, bool so, F f) const {
    while (word <= last) {
      const uint64_t end = std::min(last + 1, ((word >> kPageBits) + 1) << kPageBits);
      const uint32_t* const p = pages_.find(word >> kPageBits);
      if (!p && !so) return word;
      for (; p && word < end; ++word)
        if (f(*all_[*p], word & (kPageWords - 1)) == so) return word;
      word = end;
    }
    return word;
  }
  static bool ever_shared(const Page& page, uint64_t i) {
    return is_shared(page.words[i]) || (page.lives && page.lives->was_shared[i]);
  }
  bool is_shared(const Page& page, uint64_t i, uint64_t begun) const {
    if (page.lives && begun_by(page.lives->present[i]) > begun) return was_shared(*page.lives, i, begun);
    return is_shared(page.words[i]);
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
  std::vector<uint64_t> begun_;  // by number of a life, from 1 on: the event that began it
  uint64_t recent_number_ = 0;
  Page* recent_ = nullptr;
};

}  // namespace cdr::races

#endif
