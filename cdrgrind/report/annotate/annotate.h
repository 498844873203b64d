// SPDX-License-Identifier: GPL-2.0-or-later
// Dependences in the source, function by function: `cdrgrind annotate` as text. A function has its lines with
// arrows in the margin, and below them a table with every row. What is not shown is counted and said.
#ifndef CDRGRIND_REPORT_ANNOTATE_ANNOTATE_H
#define CDRGRIND_REPORT_ANNOTATE_ANNOTATE_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/report/annotate/carried_marks.h"
#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/object_names.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/style.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::report {

class MovedEnds;
class ObjectShares;

struct AnnotateOptions {
  Style style;
  unsigned context = 8;  // lines around annotated ones
  bool chosen = false;   // functions or files were named: those without source are shown too
  uint64_t threshold = 0;
  ScopeNote scope;
  ObjectNames* objects = nullptr;                           // none: not looked for
  const ObjectShares* shares = nullptr;                     // none: not counted
  const CarriedMarks* carried = nullptr;                    // none: not looked for
  std::string program_path;                                 // the program's own file, as in rows without lines
  std::vector<std::pair<std::string, std::string>> header;  // "Command", "./prog 1"
  std::string trace;                                        // for the next command to type
};

void write_annotation(const analysis::DependenceRows& rows, SymbolNames& names, const AnnotateOptions& options,
                      Output& out);

// The whole document of schema cdrgrind.dependences/1. `objects`: what is known of the data, and with `names` of first
// occurrences. `carried`: of loops. `moved`: ends that a compiler moved. `shares`: of `objects`.
void write_dependences_json(const analysis::DependenceRows& rows, std::string_view program, Output& out,
                            const BinaryNotes& binaries = {}, const ScopeNote& scope = {},
                            ObjectNames* objects = nullptr, analysis::CodeNames* names = nullptr,
                            const CarriedMarks* carried = nullptr, const MovedEnds* moved = nullptr,
                            const ObjectShares* shares = nullptr);

}  // namespace cdr::report

#endif
