// SPDX-License-Identifier: GPL-2.0-or-later
//
// Code addresses to source lines, for one module. Rows come in sequences, each
// a piece of code without holes; between sequences nothing is known.
// Invariant after seal(): sequences are sorted and disjoint, and the rows of a
// sequence ascend; the last is an end row, whose address is the first one
// behind the code. Several rows may have one address: the last one counts for
// look-ups, all count for breakpoints.
#ifndef CDRGRIND_SYMBOLS_TABLES_LINE_TABLE_H
#define CDRGRIND_SYMBOLS_TABLES_LINE_TABLE_H

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"

namespace cdr::symbols {

struct LineRow {
  std::uint64_t address = 0;  // in the file
  StringId file = StringId::empty;
  std::uint32_t line = 0;
  std::uint16_t column = 0;  // 65535 = that or more
  bool is_stmt = false;
  bool is_end = false;
};

// Built once, then read-only.
class LineTable {
 public:
  // Adds a sequence; the last row must be its end row.
  void add_sequence(std::span<const LineRow> rows);
  void seal();

  // The row whose code holds the address, or null.
  const LineRow* find(std::uint64_t address) const;

  // All rows, end rows too, by sequence, once sealed.
  std::span<const LineRow> rows() const { return rows_; }

 private:
  struct Sequence {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t first = 0;  // index of its first row
    std::size_t count = 0;
  };

  std::deque<LineRow> added_;  // until seal(); libraries have hundreds of thousands, and this never moves them
  std::vector<LineRow> rows_;
  std::vector<Sequence> sequences_;
};

}  // namespace cdr::symbols

#endif
