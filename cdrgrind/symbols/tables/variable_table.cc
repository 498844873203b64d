// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/tables/variable_table.h"

#include <algorithm>

namespace cdr::symbols {

void VariableTable::sort_and_drop_duplicates() {
  std::stable_sort(variables_.begin(), variables_.end(), [](const VariableRecord& a, const VariableRecord& b) {
    return a.address != b.address ? a.address < b.address : a.size > b.size;
  });
  auto same = [](const VariableRecord& a, const VariableRecord& b) { return a.address == b.address; };
  variables_.erase(std::unique(variables_.begin(), variables_.end(), same), variables_.end());
  variables_.shrink_to_fit();
}

const VariableRecord* VariableTable::find(std::uint64_t address) const {
  auto after = std::upper_bound(variables_.begin(), variables_.end(), address,
                                [](std::uint64_t wanted, const VariableRecord& v) { return wanted < v.address; });
  if (after == variables_.begin()) return nullptr;
  const VariableRecord& candidate = *std::prev(after);
  return address - candidate.address < candidate.size ? &candidate : nullptr;
}

}  // namespace cdr::symbols
