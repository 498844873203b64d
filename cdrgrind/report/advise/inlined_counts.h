// SPDX-License-Identifier: GPL-2.0-or-later
// What a loop counts up through functions that are put in line, as far as the source shows it (counted_objects.h).
#ifndef CDRGRIND_REPORT_ADVISE_INLINED_COUNTS_H
#define CDRGRIND_REPORT_ADVISE_INLINED_COUNTS_H

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/report/common/loop_place.h"
#include "cdrgrind/report/common/plain_sources.h"

namespace cdr::report {

struct InlinedCount {
  std::string object;         // as calls_of() names it; "" is the object whose function the loop stands in
  std::string_view function;  // that the loop's text calls, as debug information has it
  uint32_t line = 0;          // of the call
  friend auto operator<=>(const InlinedCount&, const InlinedCount&) = default;
};

// What they assign besides that comes from elsewhere: by references and pointers that the loop hands them, members of
// an object, of lambdas what they have captured. Names as the loop's text has them.
std::set<std::string> inlined_assignments(const regions::Loop& loop, const LoopPlace& place, std::string_view body,
                                          PlainSources& sources);

// `body`: what stands in the loop's body, without comments and literals.
std::set<InlinedCount> inlined_counts(const regions::Loop& loop, const LoopPlace& place, std::string_view body,
                                      PlainSources& sources);

}  // namespace cdr::report

#endif
