// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/tables/line_table.h"

#include <algorithm>
#include <tuple>

namespace cdr::symbols {

namespace {

bool by_address(const LineRow& a, const LineRow& b) {
  return std::tuple(a.address, a.is_end) < std::tuple(b.address, b.is_end);
}

}  // namespace

void LineTable::add_sequence(std::span<const LineRow> rows) {
  if (rows.size() < 2 || !rows.back().is_end) return;
  const std::size_t first = added_.size();
  added_.insert(added_.end(), rows.begin(), rows.end());
  auto begin = added_.begin() + static_cast<std::ptrdiff_t>(first);
  if (!std::is_sorted(begin, added_.end(), by_address)) {
    std::stable_sort(begin, added_.end(), by_address);
  }
  sequences_.push_back({begin->address, added_.back().address, first, rows.size()});
}

void LineTable::seal() {
  std::sort(sequences_.begin(), sequences_.end(), [](const Sequence& a, const Sequence& b) {
    return std::tuple(a.begin, a.first) < std::tuple(b.begin, b.first);
  });
  rows_.reserve(added_.size());
  std::vector<Sequence> kept;
  for (const Sequence& sequence : sequences_) {
    if (!kept.empty() && sequence.begin < kept.back().end) continue;  // told twice
    auto first = added_.begin() + static_cast<std::ptrdiff_t>(sequence.first);
    kept.push_back({sequence.begin, sequence.end, rows_.size(), sequence.count});
    rows_.insert(rows_.end(), first, first + static_cast<std::ptrdiff_t>(sequence.count));
  }
  added_ = {};
  sequences_ = std::move(kept);
}

const LineRow* LineTable::find(std::uint64_t address) const {
  auto sequence = std::upper_bound(sequences_.begin(), sequences_.end(), address,
                                   [](std::uint64_t wanted, const Sequence& s) { return wanted < s.begin; });
  if (sequence == sequences_.begin()) return nullptr;
  --sequence;
  if (address >= sequence->end) return nullptr;
  auto first = rows_.begin() + static_cast<std::ptrdiff_t>(sequence->first);
  auto row = std::upper_bound(first, first + static_cast<std::ptrdiff_t>(sequence->count), address,
                              [](std::uint64_t wanted, const LineRow& r) { return wanted < r.address; });
  return &*std::prev(row);
}

}  // namespace cdr::symbols
