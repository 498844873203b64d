// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a name in a loop's text is not the variable's that has its place, but a pointer's of the function around.
#ifndef CDRGRIND_REPORT_ADVISE_NEARER_POINTER_H
#define CDRGRIND_REPORT_ADVISE_NEARER_POINTER_H

#include <span>
#include <string_view>

#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/report/advise/loops_own.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// Whether the function of the text in which the line of the loop stands declares a pointer of that name before it, as a
// parameter or in its body; `functions': of the line's file.
bool is_nearer_pointer(std::string_view name, const regions::Loop& loop, uint32_t line,
                       std::span<const symbols::LocalName> locals, std::span<const FunctionSpan> functions,
                       symbols::Symbols& symbols);

}  // namespace cdr::report

#endif
