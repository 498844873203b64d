// SPDX-License-Identifier: GPL-2.0-or-later
// Which lines of C++ stand in functions that the compiler may execute, by the text alone: OpenMP is none for them.
#ifndef CDRGRIND_REPORT_ADVISE_CONSTANT_FUNCTION_H
#define CDRGRIND_REPORT_ADVISE_CONSTANT_FUNCTION_H

#include <span>
#include <string>
#include <vector>

namespace cdr::report {

// `constexpr', `consteval', or a macro with such a name; so are lambdas in it. Lines as of Statement
// (statement_text.h).
// By index of the line, where it begins.
std::vector<bool> in_constant_functions(std::span<const std::string> lines);

}  // namespace cdr::report

#endif
