// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads variables with a fixed place (global, static, static in a function,
// thread-local) from their DIEs. Variables in registers or on the stack are
// not its matter.
#ifndef CDRGRIND_SYMBOLS_DWARF_VARIABLE_READER_H
#define CDRGRIND_SYMBOLS_DWARF_VARIABLE_READER_H

#include <cstdint>
#include <optional>
#include <span>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/dwarf/line_reader.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/type_reader.h"
#include "cdrgrind/symbols/tables/module_tables.h"

namespace cdr::symbols {

class VariableReader {
 public:
  VariableReader(const DwarfFile& file, QualifiedNames& names, LineReader& lines, StringPool& pool,
                 VariableTables& tables)
      : file_(&file),
        names_(&names),
        lines_(&lines),
        pool_(&pool),
        tables_(&tables),
        types_(file, names, pool, tables.types) {}

  struct FixedLocation {
    std::uint64_t value = 0;
    bool is_tls = false;
  };
  static std::optional<FixedLocation> location_of(const Die& die);

  // Adds the variable of a DW_TAG_variable, if it has a fixed place.
  void read(const Die& die);
  // Of one that has. Its name is empty if nothing is known of it.
  VariableRecord record(const Die& die, const FixedLocation& place);

 private:
  void describe(const Die& die, VariableRecord& variable);

  const DwarfFile* file_;
  QualifiedNames* names_;
  LineReader* lines_;
  StringPool* pool_;
  VariableTables* tables_;
  TypeReader types_;
};

}  // namespace cdr::symbols

#endif
