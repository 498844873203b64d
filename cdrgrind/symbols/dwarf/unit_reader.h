// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines and functions of a file, unit by unit, and variables, as they are asked for. Of a
// library with debug information a program uses little, and reading all of it
// takes longer than many a question.
#ifndef CDRGRIND_SYMBOLS_DWARF_UNIT_READER_H
#define CDRGRIND_SYMBOLS_DWARF_UNIT_READER_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cdrgrind/symbols/common/options.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/dwarf/line_reader.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/variable_finder.h"
#include "cdrgrind/symbols/tables/code_table.h"
#include "cdrgrind/symbols/tables/line_table.h"
#include "cdrgrind/symbols/tables/symbol_table.h"

namespace cdr::symbols {

// Not thread-safe.
class UnitReader {
 public:
  // Of one unit, sealed. They stay where they are.
  struct Tables {
    const LineTable* lines = nullptr;
    CodeTable code;
  };

  using IsCode = std::function<bool(std::uint64_t)>;

  // Of `file`, which is the one at `path`. The references must outlive it.
  UnitReader(std::shared_ptr<const DwarfFile> file, const std::string& path, const std::vector<PathMap>& path_maps,
             IsCode is_code, const SymbolTable& symbols, StringPool& pool);

  // Those of the unit that has code at the address; null if none has.
  const Tables* at(std::uint64_t address);
  // The variable with a fixed place that has the byte at an address, or at an offset in a thread's block; null if none
  // has. The first call looks where all of them are.
  const VariableRecord* variable_at(std::uint64_t address, bool is_tls);
  // Of the variables that were found.
  const TypeTable& variable_types() const { return variables_->types(); }

  // More than a quarter: reading all is cheaper a unit.
  bool has_read_much() const { return tables_.size() > 16 && tables_.size() > file_->units().size() / 4; }
  // Whether all is here and undamaged, as far as it was read.
  bool is_sound() const { return is_whole_ && line_reader_.damaged_tables() == 0; }
  bool has_rows_of(StringId file) const;

 private:
  const Tables& tables_of(const DwarfUnit& unit);
  void seal_lines();

  std::shared_ptr<const DwarfFile> file_;
  QualifiedNames names_;
  IsCode is_code_;
  const SymbolTable* symbols_;
  StringPool* pool_;
  std::map<std::uint64_t, LineTable> lines_;  // by the line program's offset
  std::vector<LineTable*> unsealed_;
  LineReader line_reader_;
  bool is_whole_ = true;
  std::unordered_map<const DwarfUnit*, std::unique_ptr<Tables>> tables_;
  std::unique_ptr<VariableFinder> variables_;  // once asked
};

}  // namespace cdr::symbols

#endif
