// SPDX-License-Identifier: GPL-2.0-or-later
// Marks of blocks by the names of what they do, for programs whose machine code differs: entering a function, and
// calling from a line.
#ifndef CDRGRIND_REPORT_DIFF_PATH_MARKS_H
#define CDRGRIND_REPORT_DIFF_PATH_MARKS_H

#include "cdrgrind/analysis/diff/block_marks.h"
#include "cdrgrind/report/diff/executed_code.h"
#include "cdrgrind/report/diff/source_match.h"

namespace cdr::report {

struct CallMarks {
  OwnCode& own;
  SymbolNames& names;
  // Functions without marks, by name: whether they have code of their own is the compiler's choice.
  const std::set<std::string_view>& inlined;
  SourceMatch& match;
  bool old_run = false;  // its lines become those of the new program
  bool lines = true;     // calls have marks
};

diff::BlockMarks marks_of_calls(const BlockTable& blocks, const CallMarks& with);

// Whether the mark is that of entering a function.
bool enters(const BlockTable& blocks, BlockId id, uint32_t mark, const CallMarks& with);

// Functions that were executed inlined somewhere.
void add_inlined(const ExecutedCode& code, std::set<std::string_view>& to);

}  // namespace cdr::report

#endif
