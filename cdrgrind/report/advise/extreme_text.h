// SPDX-License-Identifier: GPL-2.0-or-later
// Whether C's text keeps the least or the greatest value in a variable. That it is one of both the code has shown.
#ifndef CDRGRIND_REPORT_ADVISE_EXTREME_TEXT_H
#define CDRGRIND_REPORT_ADVISE_EXTREME_TEXT_H

#include <string>
#include <string_view>

namespace cdr::report {

// What all assignments to the variable say, "max" or "min": `m = std::max(m, x)', `if (x > m) m = x',
// `m = m < x ? m : x'. Empty if some do not tell, or there are none. `body`: without comments and literals.
std::string extreme_in(std::string_view body, std::string_view variable);

}  // namespace cdr::report

#endif
