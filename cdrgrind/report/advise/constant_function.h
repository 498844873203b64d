// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a line of C++ stands in a function that the compiler may execute, by the text alone: OpenMP is none for it.
#ifndef CDRGRIND_REPORT_ADVISE_CONSTANT_FUNCTION_H
#define CDRGRIND_REPORT_ADVISE_CONSTANT_FUNCTION_H

#include <cstdint>
#include <span>
#include <string>

namespace cdr::report {

// `constexpr', `consteval', or a macro with such a name; so are lambdas in it. Lines as of Statement
// (statement_text.h).
bool in_constant_function(std::span<const std::string> lines, uint32_t line);

}  // namespace cdr::report

#endif
