// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/sharing.h"

#include <algorithm>

#include "cdrgrind/analysis/races/core/address_ranges.h"

namespace cdr::races {

Sharing::Page& Sharing::find_or_add(uint64_t number) {
  const auto [i, added] = index_.insert(number);
  if (added) {
    *i = static_cast<uint32_t>(pages_.size());
    pages_.push_back(std::make_unique<Page>());
  }
  return *pages_[*i];
}

Sharing::Counts Sharing::counts() const {
  Counts c;
  for (const auto& page : pages_)
    for (const uint32_t state : *page) {
      c.touched += state != 0;
      c.shared += (state & (kStored | kMany)) == (kStored | kMany);
      c.read_only += (state & (kStored | kMany)) == kMany;
    }
  return c;
}

std::vector<AddrRange> Sharing::shared_ranges() const {
  std::vector<std::pair<uint64_t, const Page*>> pages;
  index_.for_each([&](uint64_t number, uint32_t i) { pages.emplace_back(number, pages_[i].get()); });
  std::sort(pages.begin(), pages.end());
  std::vector<AddrRange> ranges;
  for (const auto& [number, page] : pages)
    for (uint64_t i = 0; i < page->size(); ++i) {
      if (((*page)[i] & (kStored | kMany)) != (kStored | kMany)) continue;
      const uint64_t begin = ((number << kPageLineBits) + i) << line_bits_, end = begin + (uint64_t{1} << line_bits_);
      append_range(ranges, {begin, end});
    }
  return ranges;
}

// What is shared already stays so; what only this thread touches, too.
bool Sharing::would_change(ThreadId t, AddrRange range, bool store) const {
  for (uint64_t line = range.begin >> line_bits_; line <= (range.end - 1) >> line_bits_; ++line) {
    const Page* p = find(line >> kPageLineBits);
    if (!p) {
      line |= (uint64_t{1} << kPageLineBits) - 1;
      continue;
    }
    const uint32_t state = (*p)[line & (p->size() - 1)];
    if (state == 0 || (state & (kStored | kMany)) == (kStored | kMany)) continue;
    if (state >> kOwnerShift != t.value || ((state & kMany) && store)) return true;
  }
  return false;
}

}  // namespace cdr::races
