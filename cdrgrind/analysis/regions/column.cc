// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/column.h"

#include <algorithm>

namespace cdr::regions {

Columns::Extent Columns::extent_of(size_t access) const {
  const auto addrs = of(access);
  Extent e{addrs[0], addrs[0], times_ > 1 ? static_cast<int64_t>(addrs[1] - addrs[0]) : 0};
  const auto step = static_cast<uint64_t>(e.step);
  bool even = true;
  for (size_t i = 1; i < times_; ++i) {
    e.lowest = std::min(e.lowest, addrs[i]);
    e.highest = std::max(e.highest, addrs[i]);
    even &= addrs[i] - addrs[i - 1] == step;
  }
  if (!even) e.step = 0;
  return e;
}

// Two of which one stores at most touch the same bytes within one execution.
bool Columns::are_apart(size_t a, size_t b, std::span<const Access> accesses) const {
  const Extent &x = extents_[a], &y = extents_[b];
  const uint64_t x_width = accesses[a].width, y_width = accesses[b].width;
  if (x.highest + x_width <= y.lowest || y.highest + y_width <= x.lowest) return true;
  if (x.step == 0 || x.step != y.step) return false;
  const uint64_t x0 = of(a)[0], y0 = of(b)[0];
  const uint64_t span = std::max(x0 + x_width, y0 + y_width) - std::min(x0, y0);
  return span <= static_cast<uint64_t>(std::abs(x.step));
}

bool Columns::are_apart(std::span<const Access> accesses) {
  extents_.clear();
  if (std::none_of(accesses.begin(), accesses.end(), [](const Access& a) { return a.store(); })) return true;
  for (size_t a = 0; a < accesses.size(); ++a) extents_.push_back(extent_of(a));
  for (size_t a = 0; a < accesses.size(); ++a) {
    if (!accesses[a].store()) continue;
    for (size_t b = 0; b < accesses.size(); ++b)
      if (b != a && !are_apart(a, b, accesses)) return false;
  }
  return true;
}

}  // namespace cdr::regions
