// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of one function as a table of text.
#ifndef CDRGRIND_REPORT_ANNOTATE_DEPENDENCE_TABLE_H
#define CDRGRIND_REPORT_ANNOTATE_DEPENDENCE_TABLE_H

#include <string>

#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/annotate/function_view.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

// Columns kind, class, from, to, count, and threads when a row has two of them. An end in another file than
// the function's has the file's name before the line.
// If loops were looked at: a column more, of the loops that carry a row, and over how many iterations. If objects were:
// a column more, of the data that the rows are about. `moved`: ends with the code '~'.
void write_dependence_table(const FunctionView& function, const AnnotateOptions& options, Output& out,
                            const MovedEnds* moved = nullptr);

// "std::map<…>": what would fill the row by itself is left out.
std::string without_long_arguments(const std::string& name, const Style& style);

}  // namespace cdr::report

#endif
