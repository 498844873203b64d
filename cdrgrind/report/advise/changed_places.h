// SPDX-License-Identifier: GPL-2.0-or-later
// Where a loop's text changes objects from outside of it: elements, members, what pointers, references and iterators
// lead to, by methods in statements of their own, and by functions that fill or copy. Text alone: an optimising
// compiler may do away with the stores that stand there.
#ifndef CDRGRIND_REPORT_ADVISE_CHANGED_PLACES_H
#define CDRGRIND_REPORT_ADVISE_CHANGED_PLACES_H

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/common/statement_text.h"

namespace cdr::report {

struct ChangedPlace {
  std::string object;       // the variable that the text goes out from
  TextPosition begin, end;  // of the assignment, or the statement; columns 0: the lines as a whole
  std::string function;     // that changes it, without qualifiers; empty: an assignment does
  bool whole = false;       // a plain assignment to the name: it may be a scalar's
  std::string value = {};   // the name that an assignment copies; empty: it does more
  // Elements that are the same in every iteration: of a number, or of what a loop of the body counts from a number on.
  bool same_elements = false;
  bool has(uint32_t line) const { return begin.first <= line && line <= end.first; }
  bool operator==(const ChangedPlace&) const = default;
};

// Of what stands in a loop's body from that place of the file on, without comments and literals. `declared`: by the
// body, names that count only as far as they lead to others. In the text's order.
std::vector<ChangedPlace> changed_places(std::string_view body, TextPosition begin,
                                         const std::set<std::string>& declared);

}  // namespace cdr::report

#endif
