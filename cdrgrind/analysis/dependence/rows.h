// SPDX-License-Identifier: GPL-2.0-or-later
// The result table by source lines: keys of instructions become rows of lines, and what a listing leaves out
// is counted. What the keys mean is in docs/dependences.md.
//
// Invariant: rows are sorted and no two are equal but for the count. Where lines come from is the caller's:
// CodeNames. Texts in rows point into it.
#ifndef CDRGRIND_ANALYSIS_DEPENDENCE_ROWS_H
#define CDRGRIND_ANALYSIS_DEPENDENCE_ROWS_H

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/base/range.h"
#include "cdrgrind/depend/result_table.h"

namespace cdr::analysis {

struct LineRef {
  std::string_view file;  // absolute; the module's path when there is no line information
  uint32_t line = 0;      // 0: no line information
  auto operator<=>(const LineRef&) const = default;
};

class CodeNames {
 public:
  virtual LineRef line_of(CodeAddr at) = 0;
  virtual std::string_view function_of(CodeAddr at) = 0;  // never empty

 protected:
  ~CodeNames() = default;
};

struct RowEnd {
  LineRef at;
  depend::EndpointCode code = depend::EndpointCode::kOwn;
  auto operator<=>(const RowEnd&) const = default;
};

struct DependenceRow {
  RowEnd source, target;
  depend::Kind kind = depend::Kind::kRaw;
  char location = 'o';  // letter of the class
  std::string_view ancestor;
  ThreadId source_thread, target_thread;  // none when they are the same
  uint64_t count = 0;
  std::vector<uint32_t> keys;  // of which rows of the table it is made, the most frequent first
  CodeAddr ancestor_at;        // where the ancestor's function is: one of the addresses, if there are several
};

// The order of listings: source, target, kind, class, ancestor, threads. Rows are the same when none is before.
bool before(const DependenceRow& a, const DependenceRow& b);

std::string_view name_of(depend::Kind kind);  // "RAW"

struct RowFilter {
  std::set<depend::Kind> kinds = {depend::Kind::kRaw, depend::Kind::kWar, depend::Kind::kWaw};
  std::set<char> classes = {'s', 'r', 'o'};
  bool hidden = false;  // `h` ends and hidden ancestors too
  uint64_t threshold = 0;
  std::function<bool(const DependenceRow&)> accept;  // none: all
};

struct RowCount {
  uint64_t rows = 0;
  uint64_t dependences = 0;
  bool operator==(const RowCount&) const = default;
};

// What the class and hidden filters, the threshold and keep_most() took from what was accepted.
struct LeftOut {
  std::map<char, RowCount> by_class;
  RowCount hidden_end, hidden_ancestor, below_threshold, beyond_most;
  bool operator==(const LeftOut&) const = default;
};

struct DependenceRows {
  std::vector<DependenceRow> rows;
  LeftOut left_out;
};

// `keys` count from the beginning of `table`.
DependenceRows rows_by_line(std::span<const depend::Row> table, CodeNames& names, const RowFilter& filter);

// Leaves so many rows, those with the highest counts, of equal ones the first, in the order that they have.
void keep_most(DependenceRows& rows, uint64_t most);

}  // namespace cdr::analysis

#endif
