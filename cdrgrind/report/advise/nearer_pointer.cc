// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/nearer_pointer.h"

#include <algorithm>

namespace cdr::report {

namespace {

// Of the function's head and what stands in front of it, up to the end of another function.
uint32_t first_line_of(const FunctionSpan& function, std::span<const FunctionSpan> functions) {
  uint32_t first = 1;
  for (const FunctionSpan& f : functions)
    if (f.end <= function.begin) first = std::max(first, f.end.first);
  return first;
}

}  // namespace

bool is_nearer_pointer(std::string_view name, const regions::Loop& loop, uint32_t line,
                       std::span<const symbols::LocalName> locals, std::span<const FunctionSpan> functions,
                       symbols::Symbols& symbols) {
  const FunctionSpan function = function_at(functions, line);
  if (function.begin.first == 0) return false;
  const uint32_t first = first_line_of(function, functions);
  return std::any_of(locals.begin(), locals.end(), [&](const symbols::LocalName& n) {
    if (n.name != name || !n.path.empty() || n.decl_line < first || n.decl_line >= line) return false;
    if (n.scope.begin > loop.body.back() || loop.body.front() >= n.scope.end) return false;
    const std::string_view type = symbols.type(loop.header.module.value, n.type).name;
    return type.find('*') != type.npos && type.find('[') == type.npos && !type.ends_with('&');
  });
}

}  // namespace cdr::report
