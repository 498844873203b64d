// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/tables/breakpoints.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>

namespace cdr::symbols {

namespace {

// The code of one row. Rows without code (end == begin) count: with
// optimisation a line may have no others.
struct Piece {
  std::uint64_t begin;
  std::uint64_t end;
  NodeIndex copy;
  bool is_stmt;
};

std::vector<Piece> pieces_of_line(const ModuleTables& tables, const std::unordered_set<StringId>& files,
                                  std::uint32_t line) {
  std::vector<Piece> pieces;
  const std::span<const LineRow> rows = tables.lines.rows();
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const LineRow& row = rows[i];
    if (row.is_end || row.line != line || !files.contains(row.file)) continue;
    pieces.push_back({row.address, rows[i + 1].address, tables.code.innermost(row.address), row.is_stmt});
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return std::tuple(a.begin, a.end) < std::tuple(b.begin, b.end); });
  return pieces;
}

}  // namespace

std::vector<std::uint64_t> breakpoints_of_line(const ModuleTables& tables, const std::unordered_set<StringId>& files,
                                               std::uint32_t line) {
  const std::vector<Piece> pieces = pieces_of_line(tables, files, line);
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < pieces.size();) {
    std::uint64_t end = pieces[i].end;
    std::optional<std::uint64_t> stop;
    const NodeIndex copy = pieces[i].copy;
    for (; i < pieces.size() && pieces[i].begin <= end && pieces[i].copy == copy; ++i) {
      end = std::max(end, pieces[i].end);
      if (!stop && pieces[i].is_stmt) stop = pieces[i].begin;
    }
    if (stop && (addresses.empty() || addresses.back() != *stop)) addresses.push_back(*stop);
  }
  return addresses;
}

std::uint32_t first_line_from(const ModuleTables& tables, const std::unordered_set<StringId>& files,
                              std::uint32_t line) {
  std::uint32_t best = 0;
  for (const LineRow& row : tables.lines.rows()) {
    if (row.is_end || !row.is_stmt || row.line < line || row.line == 0) continue;
    if ((best == 0 || row.line < best) && files.contains(row.file)) best = row.line;
  }
  return best;
}

}  // namespace cdr::symbols
