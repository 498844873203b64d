// SPDX-License-Identifier: GPL-2.0-or-later
// Statements in the text of C and C++, as far as parentheses, braces and semicolons tell. Comments and literals are
// passed over; what macros hide is not seen.
#ifndef CDRGRIND_REPORT_COMMON_STATEMENT_TEXT_H
#define CDRGRIND_REPORT_COMMON_STATEMENT_TEXT_H

#include <cstddef>
#include <optional>
#include <string_view>

namespace cdr::report {

// A `for' or `while': its parenthesis, and where its body begins and ends.
struct TextLoop {
  size_t head = 0, body = 0, end = 0;
};

// The one whose word stands at that place, or the innermost one whose parentheses, or what they hold, do. None if there
// is no such loop in the text, or its end is missing.
std::optional<TextLoop> loop_with_head(std::string_view text, size_t in_head);
// The innermost one in which both places are.
std::optional<TextLoop> loop_around(std::string_view text, size_t first, size_t last);

}  // namespace cdr::report

#endif
