// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a variable of C's text has a value of its own in each loop, or each iteration, that it stands in: none goes
// from there to anything else.
#ifndef CDRGRIND_REPORT_ADVISE_LOOPS_OWN_H
#define CDRGRIND_REPORT_ADVISE_LOOPS_OWN_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/common/statement_text.h"

namespace cdr::report {

// From a function's brace to behind the end of that.
struct FunctionSpan {
  TextPosition begin, end;
};
// By where they begin: also lambdas, and what looks like one of both. Lines as of Statement (statement_text.h).
std::vector<FunctionSpan> functions_in(std::span<const std::string> lines);
// The innermost one that has the line; its lines are 0 if there is none.
FunctionSpan function_at(std::span<const FunctionSpan> functions, uint32_t line);

// Whether each iteration of the first `for' of the line, in the function around that declares the variable, assigns it
// before anything else that it does with it, at least in the block where it does, and what it leaves there nothing
// reads: elsewhere the name stands in loops that begin by assigning it, `for (i = 0; ...', in loops and blocks that do
// before they name it otherwise, or before the loop in iterations that do. Lines and functions as above.
bool is_loops_own(std::span<const std::string> lines, std::span<const FunctionSpan> functions, uint32_t line,
                  const std::string& name);

}  // namespace cdr::report

#endif
