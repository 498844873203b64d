// SPDX-License-Identifier: GPL-2.0-or-later
// Assignments in C's text without comments and literals: what stands around a name.
#ifndef CDRGRIND_REPORT_ADVISE_ASSIGNMENT_TEXT_H
#define CDRGRIND_REPORT_ADVISE_ASSIGNMENT_TEXT_H

#include <cstddef>
#include <string_view>

namespace cdr::report {

size_t skip_blanks(std::string_view code, size_t at);

// Whether what stands there assigns to what stands before it.
bool assigns(std::string_view rest);

// Whether what stands before a name makes it a member's.
bool is_part(std::string_view before);

// Behind a name: what follows a member, or an element whose number stands there; nothing if there is none.
std::string_view behind_part(std::string_view rest);

// Behind all elements of elements that stand there; nothing, with no place, if there are none.
std::string_view behind_elements(std::string_view rest);

// What the parenthesis at the front holds; nothing, with no place, if none stands there or it is not closed.
std::string_view in_parentheses(std::string_view code);

// What stands before the parentheses, with what they hold, that the text ends with; it ends with one.
std::string_view before_parentheses(std::string_view text);

}  // namespace cdr::report

#endif
