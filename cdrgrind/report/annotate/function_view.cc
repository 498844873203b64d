// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/function_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cdr::report {

using analysis::DependenceRow;
using analysis::RowEnd;

namespace {

// An end's line in `file`, or 0.
uint32_t line_in(const RowEnd& end, std::string_view file) { return end.at.file == file ? end.at.line : 0; }

char merged(char a, char b) { return a == b ? a : '*'; }

Carried carried_of(const DependenceRow& row, const CarriedMarks* carried) {
  if (!carried) return Carried::kUnknown;
  return carried->of(row).empty() ? Carried::kNo : Carried::kYes;
}

void extend(FunctionView& function, uint32_t line) {
  if (line == 0 || !function.has_lines()) return;
  function.first_line = std::min(function.first_line, line);
  function.last_line = std::max(function.last_line, line);
}

}  // namespace

std::vector<FunctionView> functions_of(const std::vector<DependenceRow>& rows, SymbolNames& names) {
  std::map<std::pair<std::string_view, std::string_view>, FunctionView> by_name;
  for (const DependenceRow& row : rows) {
    const analysis::LineRef begin = names.beginning_of(row.ancestor_at);
    FunctionView& f = by_name[{row.ancestor, begin.file}];
    if (f.rows.empty()) f = {row.ancestor, begin.file, begin.line, begin.line, {}};
    f.rows.push_back(&row);
    extend(f, line_in(row.source, f.file));
    extend(f, line_in(row.target, f.file));
  }
  std::vector<FunctionView> functions;
  for (auto& [key, function] : by_name) functions.push_back(std::move(function));
  std::stable_sort(functions.begin(), functions.end(), [](const FunctionView& a, const FunctionView& b) {
    return std::tie(a.file, a.first_line, a.name) < std::tie(b.file, b.first_line, b.name);
  });
  return functions;
}

char code_of(const DependenceRow& row, Side side, const MovedEnds* moved) {
  if (moved && moved->has(row, side)) return '~';
  return letter(side == Side::kSource ? row.source.code : row.target.code);
}

std::vector<Arrow> arrows_of(const FunctionView& function, const CarriedMarks* carried, const MovedEnds* moved) {
  std::map<std::tuple<uint32_t, uint32_t, uint8_t>, Arrow> arrows;
  for (const DependenceRow* row : function.rows) {
    const uint32_t from = line_in(row->source, function.file), to = line_in(row->target, function.file);
    if (from == 0 || to == 0) continue;
    const auto kind = static_cast<uint8_t>(row->kind);
    const Arrow one = {from,
                       to,
                       kind,
                       row->location,
                       code_of(*row, Side::kSource, moved),
                       code_of(*row, Side::kTarget, moved),
                       row->count,
                       carried_of(*row, carried)};
    const auto [entry, is_new] = arrows.try_emplace({from, to, kind}, one);
    if (is_new) continue;
    Arrow& all = entry->second;
    all.location = merged(all.location, one.location);
    all.from_code = merged(all.from_code, one.from_code);
    all.to_code = merged(all.to_code, one.to_code);
    all.count += one.count;
    all.carried = std::max(all.carried, one.carried);
  }
  std::vector<Arrow> list;
  for (const auto& [key, arrow] : arrows) list.push_back(arrow);
  return list;
}

std::vector<LineRange> shown_lines(const FunctionView& function, unsigned context, uint32_t lines_in_file) {
  std::set<uint32_t> marks = {function.first_line};
  for (const DependenceRow* row : function.rows)
    for (const RowEnd* end : {&row->source, &row->target})
      if (const uint32_t line = line_in(*end, function.file)) marks.insert(line);
  std::vector<LineRange> ranges;
  for (const uint32_t line : marks) {
    if (line > lines_in_file) break;  // not the file that was compiled
    const uint32_t begin = line - std::min(line - function.first_line, context);
    const uint32_t end = static_cast<uint32_t>(std::min<uint64_t>(uint64_t{line} + context, lines_in_file)) + 1;
    // A gap of one line is shorter than the words that would stand for it.
    if (!ranges.empty() && begin <= ranges.back().end + 1)
      ranges.back().end = std::max(ranges.back().end, end);
    else
      ranges.push_back({begin, end});
  }
  return ranges;
}

}  // namespace cdr::report
