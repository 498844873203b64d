// SPDX-License-Identifier: GPL-2.0-or-later
// The greedy loop nest (Xu and Subhlok 2008, figure 1): all loops of the shortest body that there is become one
// symbol each, and so on with the shorter string, from bodies of one symbol again. Within such a round the loop
// with most iterations goes first, the leftmost of several; what is left of a run that it cut is looked at again.
// Loops with equal bodies and equal counts become the same symbol. Bodies are primitive: if one were not, a
// shorter one would have been found before.
#ifndef CDRGRIND_ANALYSIS_LOOPS_GREEDY_H
#define CDRGRIND_ANALYSIS_LOOPS_GREEDY_H

#include <cstdint>
#include <span>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/common/symbol_array.h"
#include "cdrgrind/analysis/loops/nest.h"

namespace cdr::loops {

// Fewer than 2^31 symbols, ids below 2^31.
// If it is stopped, the nest is that of the rounds until then.
LoopNest greedy_nest(std::span<const uint32_t> text, const analysis::Watch& watch = {});
LoopNest greedy_nest(const analysis::SymbolArray& text, const analysis::Watch& watch = {});

}  // namespace cdr::loops

#endif
