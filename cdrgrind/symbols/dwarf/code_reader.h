// SPDX-License-Identifier: GPL-2.0-or-later
//
// Walks over the DIEs of all units: functions and the inlined calls in them go
// into a CodeTable, variables to the VariableReader. Classes are entered in
// functions only: code and data of the others are defined outside of them.
#ifndef CDRGRIND_SYMBOLS_DWARF_CODE_READER_H
#define CDRGRIND_SYMBOLS_DWARF_CODE_READER_H

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/dwarf/line_reader.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/type_spelling.h"
#include "cdrgrind/symbols/dwarf/variable_reader.h"
#include "cdrgrind/symbols/tables/code_table.h"
#include "cdrgrind/symbols/tables/symbol_table.h"

namespace cdr::symbols {

class CodeReader {
 public:
  // Without `variables` these are left out.
  CodeReader(const DwarfFile& file, QualifiedNames& names, LineReader& lines, VariableReader* variables,
             const SymbolTable& symbols, std::function<bool(std::uint64_t)> is_code, StringPool& pool, CodeTable& code);

  void read_all();
  // The current one of the file (DwarfFile::visit_unit).
  void read(const DwarfUnit& unit);

 private:
  struct Position {
    const DwarfUnit* unit;
    NodeIndex node;  // the innermost function, 0 outside
    int depth;
    bool in_function;  // in any, also one without code of its own
  };

  void walk_children(const Die& parent, Position at);
  void visit(const Die& die, Position at);
  void visit_function(const Die& die, Position at);
  void visit_inlined(const Die& die, Position at);
  NodeIndex add_real(const Die& die, const std::vector<CodeRange>& ranges);
  FunctionIndex function_of_copy(const Die& die);
  FunctionIndex function(DieKey key);
  FunctionRecord describe(DieKey first);
  std::string spelled_name(const Die& die, const DwarfUnit& unit);
  void adopt_symbol(const Die& die, FunctionIndex function, std::uint64_t entry);

  const DwarfFile* file_;
  QualifiedNames* names_;
  TypeSpelling spelling_;
  LineReader* lines_;
  VariableReader* variables_;
  const SymbolTable* symbols_;
  std::function<bool(std::uint64_t)> is_code_;
  StringPool* pool_;
  CodeTable* code_;
  std::unordered_map<DieKey, FunctionIndex, DieKeyHash> functions_;
};

}  // namespace cdr::symbols

#endif
