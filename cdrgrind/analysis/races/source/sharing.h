// SPDX-License-Identifier: GPL-2.0-or-later
// Which memory two threads touch, at least one of them with a store: all the rest cannot have a race, and is not
// shared. By lines, of 64 bytes if nothing else is said, whatever the generation: a filter, not the answer.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_SHARING_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_SHARING_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/id.h"
#include "cdrgrind/base/range.h"

namespace cdr::races {

class Sharing {
 public:
  explicit Sharing(unsigned line_bits = 6) : line_bits_(line_bits) {}

  void touch(ThreadId t, uint64_t addr, uint64_t width, bool store) {
    const uint64_t last = (addr + width - 1) >> line_bits_;
    for (uint64_t line = addr >> line_bits_; line <= last; ++line)
      touch_line(page(line >> kPageLineBits), line, t, store);
  }
  // The same, with numbers that grow: those below `floor` count no more.
  void touch_since(ThreadId t, uint32_t floor, uint64_t addr, uint64_t width, bool store) {
    const uint64_t last = (addr + width - 1) >> line_bits_;
    for (uint64_t line = addr >> line_bits_; line <= last; ++line) {
      Page& p = page(line >> kPageLineBits);
      uint32_t& state = p[line & (p.size() - 1)];
      const bool shared = (state & (kStored | kMany)) == (kStored | kMany);
      if (!shared && state >> kOwnerShift < floor) state = 0;
      touch_line(p, line, t, store);
    }
  }
  // A store to memory, as far as anybody has touched it already.
  void touch_known(ThreadId t, uint64_t addr, uint64_t width) { touch_known_since(t, 0, addr, width); }
  void touch_known_since(ThreadId t, uint32_t floor, uint64_t addr, uint64_t width) {
    const uint64_t last = (addr + width - 1) >> line_bits_;
    for (uint64_t line = addr >> line_bits_; line <= last; ++line) {
      const uint32_t* i = index_.find(line >> kPageLineBits);
      if (!i) {
        line |= (uint64_t{1} << kPageLineBits) - 1;  // the whole page is untouched
        continue;
      }
      const uint32_t state = (*pages_[*i])[line & ((1u << kPageLineBits) - 1)];
      if (state >> kOwnerShift >= floor && state != 0) touch_line(*pages_[*i], line, t, true);
    }
  }
  bool shared(uint64_t addr, uint64_t width) const {
    const uint64_t last = (addr + width - 1) >> line_bits_;
    for (uint64_t line = addr >> line_bits_; line <= last; ++line)
      if (shared_line(line)) return true;
    return false;
  }
  // The same for long ranges.
  bool any_shared(uint64_t addr, uint64_t width) const {
    const uint64_t last = (addr + width - 1) >> line_bits_;
    for (uint64_t line = addr >> line_bits_; line <= last; ++line) {
      if (!find(line >> kPageLineBits))
        line |= (uint64_t{1} << kPageLineBits) - 1;
      else if (shared_line(line))
        return true;
    }
    return false;
  }
  uint64_t line() const { return uint64_t{1} << line_bits_; }
  struct Counts {
    uint64_t touched = 0, shared = 0, read_only = 0;  // lines; read_only: by several threads, without a store
  };
  Counts counts() const;
  // Bytes of shared lines, by address; neighbours are one range.
  std::vector<AddrRange> shared_ranges() const;
  // Whether something may become shared if the thread touches anything in there.
  bool would_change(ThreadId t, AddrRange range, bool store) const;

 private:
  static constexpr unsigned kPageLineBits = 6;
  static constexpr uint32_t kStored = 1, kMany = 2, kOwnerShift = 2;
  using Page = std::array<uint32_t, size_t{1} << kPageLineBits>;
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Page* page = nullptr;
  };

  static void touch_line(Page& p, uint64_t line, ThreadId t, bool store) {
    uint32_t& state = p[line & (p.size() - 1)];
    if (state >> kOwnerShift != t.value) state = state == 0 ? t.value << kOwnerShift : state | kMany;
    state |= store ? kStored : 0;
  }
  bool shared_line(uint64_t line) const {
    const Page* p = find(line >> kPageLineBits);
    return p && ((*p)[line & (p->size() - 1)] & (kStored | kMany)) == (kStored | kMany);
  }
  Page& page(uint64_t number) {
    Recent& r = recent_[number % recent_.size()];
    if (r.number != number || !r.page) r = {number, &find_or_add(number)};
    return *r.page;
  }
  const Page* find(uint64_t number) const {
    Recent& r = recent_[number % recent_.size()];
    if (r.number != number) {
      const uint32_t* i = index_.find(number);
      r = {number, i ? pages_[*i].get() : nullptr};
    }
    return r.page;
  }
  Page& find_or_add(uint64_t number);

  unsigned line_bits_;
  FlatMap<uint64_t, uint32_t> index_;
  std::vector<std::unique_ptr<Page>> pages_;
  mutable std::array<Recent, 1024> recent_;
};

}  // namespace cdr::races

#endif
