// SPDX-License-Identifier: GPL-2.0-or-later
// Which scalar variables the source text of a loop assigns, but for those that it declares: text alone, so it may name
// too many. An optimising compiler keeps variables in registers, or does without them, where a line for OpenMP has to
// name them all the same.
#ifndef CDRGRIND_REPORT_ADVISE_ASSIGNED_NAMES_H
#define CDRGRIND_REPORT_ADVISE_ASSIGNED_NAMES_H

#include <set>
#include <string>
#include <string_view>

namespace cdr::report {

struct BodyNames {
  std::set<std::string> assigned;   // scalars
  std::set<std::string> in_part;    // of which a member is assigned, or an element whose number stands there
  std::set<std::string> both_ways;  // arrays of which some elements are assigned, and some are read, perhaps the same
  std::set<std::string> declared;   // not those of the parentheses
  std::set<std::string> kept;       // static ones of these
  std::set<std::string> by_calls;   // of Fortran: by procedures, from elsewhere
};
// Of the text from the line of a `for` on, what stands behind its parentheses, without comments and literals.
std::string loop_body(std::string_view text);
BodyNames body_names(std::string_view body);
// Arrays of which elements are assigned, where elements of any are read whose place the counters tell; not those that
// the body declares.
std::set<std::string> arrays_filled_from_others(std::string_view body, const std::set<std::string>& counters);

// What code without comments and literals declares.
std::set<std::string> declared_names(std::string_view code);

// What the parentheses of the first `for` say.
struct ForHead {
  std::set<std::string> counters;  // assigned in the last part; over a range what GCC counts by
  bool declares = false;           // the first part declares them
  bool canonical = false;          // OpenMP takes it, as it stands in its line, but perhaps for how it begins
  std::set<std::string> elements;  // `for (auto& x : all)`: the words before the colon
  std::string wanted;              // how OpenMP wants the one counter to begin: `int i = 0`; empty: as it does
  std::string refused;             // why OpenMP takes no such loop where it stands; empty: it does

  // Of the counter, or what a compiler makes of a range and its elements.
  bool counts_by(const std::string& name) const {
    return counters.contains(name) || (!elements.empty() && (elements.contains(name) || name.starts_with("__")));
  }
};
ForHead for_head(std::string_view text);

}  // namespace cdr::report

#endif
