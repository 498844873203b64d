// SPDX-License-Identifier: GPL-2.0-or-later
// Which threads touched memory that others touched, too: of thousands of strands most have nothing in common, and
// looking at each pair of them is not affordable. A filter, not the answer: by where the first and the last access of
// each kind in each piece of memory lie.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_MEETING_THREADS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_MEETING_THREADS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/collected.h"

namespace cdr::races {

// Pairs (lower, higher) in order, each once; nothing if there are more than `most`. O(n log n) for n entries, and what
// is found.
std::optional<std::vector<std::pair<uint32_t, uint32_t>>> meeting_threads(const Collected& c, size_t most);

}  // namespace cdr::races

#endif
