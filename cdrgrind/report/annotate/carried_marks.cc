// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/carried_marks.h"

#include <algorithm>

namespace cdr::report {

std::vector<CarriedBy> CarriedMarks::of(const analysis::DependenceRow& row) const {
  std::map<std::pair<std::string_view, uint32_t>, CarriedBy> loops;
  for (const uint32_t key : row.keys) {
    const auto known = by_key_.find(key);
    if (known == by_key_.end()) continue;
    for (const CarriedBy& by : known->second) {
      CarriedBy& all = loops.try_emplace({by.file, by.line}, by).first->second;
      all.shared |= by.shared;
      all.least = std::min(all.least, by.least);
      all.greatest = std::max(all.greatest, by.greatest);
    }
  }
  std::vector<CarriedBy> list;
  for (const auto& [place, by] : loops) list.push_back(by);
  return list;
}

bool CarriedMarks::beside(const analysis::DependenceRow& row, Side side) const {
  const std::set<uint32_t>& keys = beside_[static_cast<size_t>(side)];
  return !row.keys.empty() &&
         std::all_of(row.keys.begin(), row.keys.end(), [&](uint32_t key) { return keys.contains(key); });
}

}  // namespace cdr::report
