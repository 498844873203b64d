// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/sharing.h"

namespace cdr::analysis {

Sharing::Page& Sharing::find_or_add(uint64_t number) {
  const auto [i, added] = index_.insert(number);
  if (added) {
    *i = static_cast<uint32_t>(pages_.size());
    pages_.push_back(std::make_unique<Page>());
  }
  return *pages_[*i];
}

uint64_t Sharing::shared_lines() const {
  uint64_t n = 0;
  for (const auto& page : pages_)
    for (const uint32_t state : *page) n += (state & (kStored | kMany)) == (kStored | kMany);
  return n;
}

}  // namespace cdr::analysis
