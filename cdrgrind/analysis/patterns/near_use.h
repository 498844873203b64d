// SPDX-License-Identifier: GPL-2.0-or-later
// What of the lines that an instruction touches is used near it in time, whoever uses it: by instructions of the
// innermost loop around it and of what is called there; without a loop, or where it is not known what is called, by
// all.
#ifndef CDRGRIND_ANALYSIS_PATTERNS_NEAR_USE_H
#define CDRGRIND_ANALYSIS_PATTERNS_NEAR_USE_H

#include <vector>

#include "cdrgrind/analysis/patterns/patterns.h"
#include "cdrgrind/base/block_table.h"

namespace cdr::patterns {

// Fills in `near_bytes` of those that are large and do not use most of their lines themselves.
void find_near_use(const BlockTable& blocks, std::vector<AccessPattern>& all);

}  // namespace cdr::patterns

#endif
