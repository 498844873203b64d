// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/dependence_table.h"

#include <algorithm>
#include <array>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using analysis::DependenceRow;
using analysis::RowEnd;

namespace {

constexpr size_t kColumns = 6;
using Cells = std::array<std::string, kColumns>;
constexpr std::array<bool, kColumns> kAtRight = {false, false, true, true, true, false};

std::string end_text(const RowEnd& end, std::string_view file) {
  std::string text;
  if (end.at.line == 0 || end.at.file != file) {
    const std::string_view name = symbols::base_name(end.at.file);
    text = name.empty() ? "?" : visible(name);
    if (end.at.line != 0) text += ':';
  }
  if (end.at.line != 0) text += std::to_string(end.at.line);
  return text.append(1, ' ').append(1, letter(end.code));
}

Cells cells_of(const DependenceRow& row, std::string_view file) {
  std::string threads;
  if (row.source_thread) threads = fmt::format("{} to {}", row.source_thread.value, row.target_thread.value);
  return {std::string(analysis::name_of(row.kind)),
          std::string(1, row.location),
          end_text(row.source, file),
          end_text(row.target, file),
          with_separators(row.count),
          threads};
}

}  // namespace

void write_dependence_table(const FunctionView& function, const Style& style, Output& out) {
  std::vector<Cells> table = {{"kind", "class", "from  ", "to  ", "count", "threads"}};
  for (const DependenceRow* row : function.rows) table.push_back(cells_of(*row, function.file));
  std::array<size_t, kColumns> width{};
  for (const Cells& cells : table)
    for (size_t c = 0; c < kColumns; ++c) width[c] = std::max(width[c], columns_of(cells[c]));
  const bool threads = std::any_of(table.begin() + 1, table.end(), [](const Cells& c) { return !c.back().empty(); });
  for (size_t r = 0; r < table.size(); ++r) {
    const Paint paint = r == 0 ? Paint::kDim : paint_of_kind(static_cast<uint8_t>(function.rows[r - 1]->kind));
    std::string line = "  " + painted(padded_right(table[r][0], width[0]), paint, style);
    for (size_t c = 1; c < kColumns - (threads ? 0 : 1); ++c)
      line += "  " + (kAtRight[c] ? padded_left(table[r][c], width[c]) : padded_right(table[r][c], width[c]));
    line.erase(line.find_last_not_of(' ') + 1);
    out.put(line).put('\n');
  }
}

}  // namespace cdr::report
