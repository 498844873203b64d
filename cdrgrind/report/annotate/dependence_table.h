// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of one function as a table of text.
#ifndef CDRGRIND_REPORT_ANNOTATE_DEPENDENCE_TABLE_H
#define CDRGRIND_REPORT_ANNOTATE_DEPENDENCE_TABLE_H

#include "cdrgrind/report/annotate/function_view.h"
#include "cdrgrind/report/common/object_names.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

// Columns kind, class, from, to, count, and threads when a row has two of them. An end in another file than
// the function's has the file's name before the line.
// `carried`, if loops were looked at: a column more, of the loops that carry a row, and over how many iterations.
// `objects`, if any: a column more, of the data that the rows are about. `moved`: ends with the code '~'.
void write_dependence_table(const FunctionView& function, const Style& style, const CarriedMarks* carried,
                            ObjectNames* objects, Output& out, const MovedEnds* moved = nullptr);

}  // namespace cdr::report

#endif
