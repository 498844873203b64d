// SPDX-License-Identifier: GPL-2.0-or-later
// Which variables a loop's text may change otherwise than by plain assignments (assigned_names.h): elements of arrays,
// what it hands on, what macros do. By text alone, so it names too many.
#ifndef CDRGRIND_REPORT_ADVISE_EXPOSED_NAMES_H
#define CDRGRIND_REPORT_ADVISE_EXPOSED_NAMES_H

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace cdr::report {

struct ExposedNames {
  std::set<std::string> arrays;    // elements are assigned, or the whole is handed to something
  std::set<std::string> anything;  // the address is taken, a reference made; in macros, what they are given
  std::set<std::string> macros;    // that may be some: they are called in statements of their own
};
// Of C, without comments and literals.
ExposedNames exposed_names(std::string_view body);

// `*p = x', `p->y = x': p.
std::set<std::string> assigned_through_pointers(std::string_view body);

// What the macro's definition in these lines of a file assigns, but for its parameters.
std::set<std::string> assigned_by_macro(std::span<const std::string> lines, std::string_view macro);

}  // namespace cdr::report

#endif
