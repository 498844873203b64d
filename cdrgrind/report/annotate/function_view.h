// SPDX-License-Identifier: GPL-2.0-or-later
// The rows of a listing by function: which file a function is shown in, from where to where, and which of
// its rows can be arrows. A model, not yet text.
#ifndef CDRGRIND_REPORT_ANNOTATE_FUNCTION_VIEW_H
#define CDRGRIND_REPORT_ANNOTATE_FUNCTION_VIEW_H

#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/report/annotate/carried_marks.h"
#include "cdrgrind/report/annotate/lanes.h"
#include "cdrgrind/report/annotate/moved_ends.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::report {

struct FunctionView {
  std::string_view name;
  std::string_view file;    // where it is written; the module when there is no line information
  uint32_t first_line = 0;  // 0: no line information
  uint32_t last_line = 0;   // the last line of an end in `file`
  std::vector<const analysis::DependenceRow*> rows;
  bool has_lines() const { return first_line != 0; }
};

// Sorted by file, first line and name.
std::vector<FunctionView> functions_of(const std::vector<analysis::DependenceRow>& rows, SymbolNames& names);

// One arrow per pair of lines and kind; rows with an end in another file have none. `carried`, if loops were looked at;
// `moved`, if known. An end that was moved has the code '~'.
std::vector<Arrow> arrows_of(const FunctionView& function, const CarriedMarks* carried = nullptr,
                             const MovedEnds* moved = nullptr);

// The letter of an end: of its code, or '~' if it was moved.
char code_of(const analysis::DependenceRow& row, Side side, const MovedEnds* moved);

// The lines to be shown, as half-open ranges in order: those with an end, the first, and `context` around.
struct LineRange {
  uint32_t begin = 0, end = 0;
  bool operator==(const LineRange&) const = default;
};
std::vector<LineRange> shown_lines(const FunctionView& function, unsigned context, uint32_t lines_in_file);

}  // namespace cdr::report

#endif
