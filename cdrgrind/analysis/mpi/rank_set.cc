// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/rank_set.h"

#include <algorithm>
#include <iterator>

namespace cdr::mpi {

// From the left: the longest run of equal steps, if it has three ranks, or two that are neighbours.
std::string spelled(std::span<const uint32_t> ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size();) {
    size_t end = i + 1;
    const uint32_t step = end < ranks.size() ? ranks[end] - ranks[i] : 0;
    while (end < ranks.size() && ranks[end] - ranks[end - 1] == step) ++end;
    const size_t least = step == 1 ? 2 : 3;
    if (end - i < least) end = i + 1;
    if (!text.empty()) text += ',';
    text += std::to_string(ranks[i]);
    if (end - i > 1) text += '-' + std::to_string(ranks[end - 1]);
    if (end - i > 1 && step > 1) text += ':' + std::to_string(step);
    i = end;
  }
  return text;
}

RankSet united(const RankSet& a, const RankSet& b) {
  RankSet both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace cdr::mpi
