// SPDX-License-Identifier: GPL-2.0-or-later
// What a loop changes through functions that are put in line, as far as the source shows it (counted_objects.h,
// exposed_names.h).
#ifndef CDRGRIND_REPORT_ADVISE_INLINED_CALLS_H
#define CDRGRIND_REPORT_ADVISE_INLINED_CALLS_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

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

// A function put in line at one place, and what is put in line in it.
struct InlinedCall {
  std::string_view file;
  uint32_t line = 0;                                                   // of some of its code
  std::map<std::pair<std::string_view, uint32_t>, InlinedCall> calls;  // by function and line
};

// `body`: what stands in the loop's body, without comments and literals.
class InlinedCalls {
 public:
  InlinedCalls(const regions::Loop& loop, const LoopPlace& place);

  // What they count up.
  std::set<InlinedCount> counted(std::string_view body, PlainSources& sources) const;
  // What they assign that comes from elsewhere: by references and pointers that the loop hands them, members of an
  // object, of lambdas what they have captured. Names as the loop's text has them.
  std::set<std::string> assigned(std::string_view body, PlainSources& sources) const;
  // Whether one of them names a variable from outside all functions: it means the variable, not a copy of the loop's.
  bool names(std::string_view variable, PlainSources& sources) const;

 private:
  InlinedCall all_;  // the loop itself
};

}  // namespace cdr::report

#endif
