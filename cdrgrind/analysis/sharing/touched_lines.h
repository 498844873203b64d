// SPDX-License-Identifier: GPL-2.0-or-later
// Which lines of memory several threads touch, one of them with a store: only these are followed in full.
#ifndef CDRGRIND_ANALYSIS_SHARING_TOUCHED_LINES_H
#define CDRGRIND_ANALYSIS_SHARING_TOUCHED_LINES_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/id.h"

namespace cdr::analysis {

// Lines are given by their number: address >> bits of the line size.
class TouchedLines {
 public:
  void touch(ThreadId t, uint64_t first, uint64_t last, bool store) {
    for (uint64_t line = first; line <= last; ++line) {
      uint32_t& state = (*page(line >> kPageBits))[line & kInPage];
      if (state >> kOwnerShift != t.value) state = state == 0 ? t.value << kOwnerShift : state | kMany;
      state |= store ? kStored : 0;
    }
  }
  bool shared(uint64_t line) { return (at(line) & (kStored | kMany)) == (kStored | kMany); }

  struct Counts {
    uint64_t touched = 0, shared = 0, read_only = 0;  // read_only: by several threads, without a store
  };
  Counts counts() const {
    Counts c;
    for (const auto& p : pages_)
      for (const uint32_t state : *p) {
        c.touched += state != 0;
        c.shared += (state & (kStored | kMany)) == (kStored | kMany);
        c.read_only += (state & (kStored | kMany)) == kMany;
      }
    return c;
  }

 private:
  static constexpr unsigned kPageBits = 6;
  static constexpr uint64_t kInPage = (uint64_t{1} << kPageBits) - 1;
  static constexpr uint32_t kStored = 1, kMany = 2, kOwnerShift = 2;
  using Page = std::array<uint32_t, size_t{1} << kPageBits>;
  struct Recent {
    uint64_t number = ~uint64_t{0};
    Page* page = nullptr;
  };

  uint32_t at(uint64_t line) {
    const uint64_t number = line >> kPageBits;
    Recent& r = recent_[number % recent_.size()];
    if (r.number != number || !r.page) {
      const uint32_t* known = index_.find(number);
      if (!known) return 0;
      r = {number, pages_[*known].get()};
    }
    return (*r.page)[line & kInPage];
  }
  Page* page(uint64_t number) {
    Recent& r = recent_[number % recent_.size()];
    if (r.number != number || !r.page) {
      const auto [at, is_new] = index_.insert(number);
      if (is_new) {
        *at = static_cast<uint32_t>(pages_.size());
        pages_.push_back(std::make_unique<Page>());
      }
      r = {number, pages_[*at].get()};
    }
    return r.page;
  }

  FlatMap<uint64_t, uint32_t> index_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::array<Recent, 1024> recent_;
};

}  // namespace cdr::analysis

#endif
