// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/shown_functions.h"

#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

namespace {

void add(const FunctionView& f, HiddenFunctions& to) {
  ++to.functions;
  to.rows += f.rows.size();
}

// Whether the row's function is the program's own file's.
bool is_of_program(const analysis::DependenceRow& row, SymbolNames& names, const AnnotateOptions& options) {
  const auto* module = names.symbols().modules().find(row.ancestor_at.module.value);
  return module && module->path == options.program_path;
}

bool has_source(const FunctionView& f, SymbolNames& names, const AnnotateOptions& options) {
  if (!f.has_lines()) return false;
  return names.symbols().source(f.file) != nullptr || is_of_program(*f.rows.front(), names, options);
}

void write(const HiddenFunctions& hidden, std::string_view why, Output& out) {
  if (hidden.functions == 0) return;
  out.print("Not shown: {} of {} {}.\n", plural(hidden.rows, "row"), plural(hidden.functions, "function"), why);
}

}  // namespace

ShownFunctions shown_functions(const std::vector<analysis::DependenceRow>& rows, SymbolNames& names,
                               const AnnotateOptions& options) {
  ShownFunctions shown;
  for (FunctionView& f : functions_of(rows, names)) {
    if (options.chosen)
      shown.functions.push_back(std::move(f));
    else if (!options.scope.all && of_the_system(f.file))
      add(f, shown.of_system);
    else if (!has_source(f, names, options))
      add(f, shown.without_source);
    else
      shown.functions.push_back(std::move(f));
  }
  return shown;
}

void write_hidden(const ShownFunctions& shown, Output& out) {
  write(shown.without_source, "without source (libraries as a rule); --function=NAME shows one", out);
  write(shown.of_system, "in headers of the system (--scope=all shows them)", out);
}

}  // namespace cdr::report
