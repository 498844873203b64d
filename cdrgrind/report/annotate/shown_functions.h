// SPDX-License-Identifier: GPL-2.0-or-later
// The functions that a listing shows: unless it was asked for others, those of the program with a source of its own.
// What libraries and headers of the system do counts at the program's lines, too.
#ifndef CDRGRIND_REPORT_ANNOTATE_SHOWN_FUNCTIONS_H
#define CDRGRIND_REPORT_ANNOTATE_SHOWN_FUNCTIONS_H

#include <vector>

#include "cdrgrind/report/annotate/annotate.h"
#include "cdrgrind/report/annotate/function_view.h"

namespace cdr::report {

struct HiddenFunctions {
  uint64_t functions = 0, rows = 0;
};

struct ShownFunctions {
  std::vector<FunctionView> functions;  // as functions_of() sorts them
  HiddenFunctions without_source, of_system;
};

ShownFunctions shown_functions(const std::vector<analysis::DependenceRow>& rows, SymbolNames& names,
                               const AnnotateOptions& options);

// "Not shown: 4 rows of 2 functions without source (libraries as a rule); --function=NAME shows one.", a line for each
// reason.
void write_hidden(const ShownFunctions& shown, Output& out);

}  // namespace cdr::report

#endif
