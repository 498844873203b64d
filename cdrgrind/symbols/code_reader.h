// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks over the DIEs of all units: functions and the inlined calls in them go
// into a CodeTable, variables to the VariableReader. Classes are not entered,
// for code and data that are declared there are defined outside.
#ifndef CDRGRIND_SYMBOLS_CODE_READER_H
#define CDRGRIND_SYMBOLS_CODE_READER_H

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "cdrgrind/symbols/code_table.h"
#include "cdrgrind/symbols/dwarf_file.h"
#include "cdrgrind/symbols/line_reader.h"
#include "cdrgrind/symbols/qualified_names.h"
#include "cdrgrind/symbols/string_pool.h"
#include "cdrgrind/symbols/variable_reader.h"

namespace cdr::symbols {

class CodeReader {
 public:
  CodeReader(const DwarfFile& file, QualifiedNames& names, LineReader& lines, VariableReader& variables,
             std::function<bool(std::uint64_t)> is_code, StringPool& pool, CodeTable& code);

  void read_all();

 private:
  struct Position {
    const DwarfUnit* unit;
    NodeIndex node;  // the innermost function, 0 outside
    int depth;
  };

  void walk_children(const Die& parent, Position at);
  void visit(const Die& die, Position at);
  void visit_function(const Die& die, Position at);
  void visit_inlined(const Die& die, Position at);
  NodeIndex add_real(const Die& die, const std::vector<CodeRange>& ranges);
  FunctionIndex function_of_copy(const Die& die);
  FunctionIndex function(DieKey key);
  FunctionRecord describe(DieKey first);

  const DwarfFile* file_;
  QualifiedNames* names_;
  LineReader* lines_;
  VariableReader* variables_;
  std::function<bool(std::uint64_t)> is_code_;
  StringPool* pool_;
  CodeTable* code_;
  std::unordered_map<DieKey, FunctionIndex, DieKeyHash> functions_;
};

}  // namespace cdr::symbols

#endif
