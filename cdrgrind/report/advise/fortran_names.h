// SPDX-License-Identifier: GPL-2.0-or-later
// Names that a loop of Fortran assigns to, as assigned_names.h says them for C.
#ifndef CDRGRIND_REPORT_ADVISE_FORTRAN_NAMES_H
#define CDRGRIND_REPORT_ADVISE_FORTRAN_NAMES_H

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/changed_places.h"
#include "cdrgrind/report/advise/exposed_names.h"
#include "cdrgrind/report/common/fortran_source.h"

namespace cdr::report {

// Of the loop whose `do' the line has. Its counter is each thread's own whatever the directive says; it counts as
// declared there unless its program unit uses it outside of loops that count by it.
ForHead fortran_head(const FortranSource& source, uint32_t line);

// Scalars that the loop's statements assign to, but for counters of loops within, which are each thread's own.
std::set<std::string> fortran_assigned_names(const FortranSource& source, const FortranLoop& loop);

// Arguments of `call', but those that the procedure, if this source has it, only gets (`intent(in)'), and arrays of
// which something is assigned. No counters of loops around or within.
ExposedNames fortran_exposed_names(const FortranSource& source, const FortranLoop& loop);

// Arrays, and variables of which elements or components are assigned; the places are lines.
std::vector<ChangedPlace> fortran_changed_places(const FortranSource& source, const FortranLoop& loop);

// As is_loops_own() of loops_own.h; a variable that the unit around the loop declares, and does not share.
bool fortran_is_loops_own(const FortranSource& source, const FortranLoop& loop, std::string_view name);

// What blocks within the loop declare.
std::set<std::string> fortran_declared_names(const FortranSource& source, const FortranLoop& loop);

// Scalars and whole arrays from elsewhere that procedures of this source assign to which the loop names.
std::set<std::string> fortran_called_assignments(const FortranSource& source, const FortranLoop& loop);

// What the statements that assign to the variable make of it: "max", "min"; empty if they do not say one of both.
std::string fortran_extreme(const FortranSource& source, const FortranLoop& loop, std::string_view variable);

// The operator as `reduction' and the source have it, of C's; empty: it has none. `&', `|': of integers if the loop
// calls iand, ior or ieor, else of logicals.
std::string fortran_operator(std::string_view sign, const FortranSource& source, const FortranLoop& loop);

}  // namespace cdr::report

#endif
