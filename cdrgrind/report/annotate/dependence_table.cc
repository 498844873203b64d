// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/dependence_table.h"

#include <algorithm>
#include <array>

#include "cdrgrind/report/annotate/object_shares.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using analysis::DependenceRow;
using analysis::RowEnd;

namespace {

constexpr size_t kColumns = 8, kThreads = 5, kCarried = 6, kObjects = 7;
using Cells = std::array<std::string, kColumns>;
constexpr std::array<bool, kColumns> kAtRight = {false, false, true, true, true, false, false, false};

std::string line_text(std::string_view in, uint32_t line, std::string_view file) {
  std::string text;
  if (line == 0 || in != file) {
    const std::string_view name = symbols::base_name(in);
    text = name.empty() ? "?" : visible(name);
    if (line != 0) text += ':';
  }
  if (line != 0) text += std::to_string(line);
  return text;
}

std::string end_text(const RowEnd& end, char code, std::string_view file) {
  return line_text(end.at.file, end.at.line, file).append(1, ' ').append(1, code);
}

// "counters[…].hits, p, …"
std::string objects_text(const std::vector<ObjectName>& objects, const Style& style) {
  constexpr size_t kMost = 4;
  std::string text;
  size_t shown = 0;
  for (const ObjectName& o : objects) {
    if (o.name.empty()) continue;
    if (!text.empty()) text += ", ";
    if (shown++ == kMost) return text + (style.utf8 ? "…" : "...");
    text += visible(without_long_arguments(o.name, style));
  }
  return text;
}

// "12 by 1, 8 by 4 to 64": lines of loops, and how many iterations lie between.
std::string carried_text(const std::vector<CarriedBy>& carried, std::string_view file) {
  std::string text;
  for (const CarriedBy& by : carried) {
    if (!text.empty()) text += ", ";
    text += line_text(by.file, by.line, file) + " by " + std::to_string(by.least);
    if (by.greatest != by.least) text += " to " + std::to_string(by.greatest);
    if (by.shared) text += " (parallel)";
  }
  return text;
}

std::string data_text(const DependenceRow& row, const AnnotateOptions& options) {
  if (options.shares) return options.shares->text(row, options.style);
  return options.objects ? objects_text(options.objects->of(row), options.style) : std::string();
}

Cells cells_of(const DependenceRow& row, std::string_view file, const AnnotateOptions& options,
               const MovedEnds* moved) {
  std::string threads;
  if (row.source_thread) threads = fmt::format("{} to {}", row.source_thread.value, row.target_thread.value);
  return {std::string(analysis::name_of(row.kind)),
          std::string(1, row.location),
          end_text(row.source, code_of(row, Side::kSource, moved), file),
          end_text(row.target, code_of(row, Side::kTarget, moved), file),
          with_separators(row.count),
          threads,
          options.carried ? carried_text(options.carried->of(row), file) : std::string(),
          data_text(row, options)};
}

}  // namespace

std::string without_long_arguments(const std::string& name, const Style& style) {
  constexpr size_t kLong = 24;
  std::string text;
  size_t depth = 0, begin = 0;
  for (const char c : name) {
    if (c == '<' && depth++ == 0) begin = text.size() + 1;
    if (c == '>' && depth > 0 && --depth == 0 && text.size() - begin > kLong)
      text.replace(begin, text.size() - begin, style.utf8 ? "…" : "...");
    text += c;
  }
  return text;
}

void write_dependence_table(const FunctionView& function, const AnnotateOptions& options, Output& out,
                            const MovedEnds* moved) {
  const Style& style = options.style;
  std::vector<Cells> table = {{"kind", "class", "from  ", "to  ", "count", "threads", "from earlier", "variable"}};
  for (const DependenceRow* row : function.rows) table.push_back(cells_of(*row, function.file, options, moved));
  std::array<size_t, kColumns> width{};
  for (const Cells& cells : table)
    for (size_t c = 0; c < kColumns; ++c) width[c] = std::max(width[c], columns_of(cells[c]));
  const auto any = [&](size_t column) {
    return std::any_of(table.begin() + 1, table.end(), [&](const Cells& c) { return !c[column].empty(); });
  };
  std::array<bool, kColumns> shown = {true, true, true, true, true, any(kThreads), any(kCarried), any(kObjects)};
  for (size_t r = 0; r < table.size(); ++r) {
    const Paint paint = r == 0 ? Paint::kDim : paint_of_kind(static_cast<uint8_t>(function.rows[r - 1]->kind));
    std::string line = "  " + painted(padded_right(table[r][0], width[0]), paint, style);
    for (size_t c = 1; c < kColumns; ++c)
      if (shown[c])
        line += "  " + (kAtRight[c] ? padded_left(table[r][c], width[c]) : padded_right(table[r][c], width[c]));
    line.erase(line.find_last_not_of(' ') + 1);
    out.put(line).put('\n');
  }
}

}  // namespace cdr::report
