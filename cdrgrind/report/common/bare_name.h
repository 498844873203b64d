// SPDX-License-Identifier: GPL-2.0-or-later
// The name of a function without parameters and result: "ns::T<void (int)>::f(char) const" as "ns::T<void (int)>::f".
#ifndef CDRGRIND_REPORT_COMMON_BARE_NAME_H
#define CDRGRIND_REPORT_COMMON_BARE_NAME_H

#include <string_view>

namespace cdr::report {

// A part of `function`.
std::string_view bare_name(std::string_view function);

}  // namespace cdr::report

#endif
