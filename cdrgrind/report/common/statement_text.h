// SPDX-License-Identifier: GPL-2.0-or-later
// Statements in the text of C and C++, as far as parentheses, braces and semicolons tell. Comments and literals are
// passed over; what macros hide is not seen.
#ifndef CDRGRIND_REPORT_COMMON_STATEMENT_TEXT_H
#define CDRGRIND_REPORT_COMMON_STATEMENT_TEXT_H

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace cdr::report {

// Of the innermost `for' or `while' whose parentheses hold that place: where its body begins and ends. None if there is
// no such loop in the text, or its end is missing.
std::optional<std::pair<size_t, size_t>> loop_body(std::string_view text, size_t in_head);

}  // namespace cdr::report

#endif
