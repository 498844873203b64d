// SPDX-License-Identifier: GPL-2.0-or-later
// The name of a function without parameters and result: "ns::T<void (int)>::f(char) const" as "ns::T<void (int)>::f".
#ifndef CDRGRIND_REPORT_COMMON_BARE_NAME_H
#define CDRGRIND_REPORT_COMMON_BARE_NAME_H

#include <string>
#include <string_view>

namespace cdr::report {

// A part of `function`.
std::string_view bare_name(std::string_view function);

// For people: what is not longer than a line has room for stays. Of others the bare name, without arguments of
// templates if that is needed: "std::transform<...>", "<... as Iterator>::count".
std::string brief_name(std::string_view function);

}  // namespace cdr::report

#endif
