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
                 ModuleTables& tables)
      : file_(&file),
        names_(&names),
        lines_(&lines),
        pool_(&pool),
        tables_(&tables),
        types_(file, names, pool, tables.types) {}

  // Adds the variable of a DW_TAG_variable, if it has a fixed place.
  void read(const Die& die);

 private:
  struct FixedLocation {
    std::uint64_t value = 0;
    bool is_tls = false;
  };

  std::optional<FixedLocation> location_of(const Die& die) const;
  void describe(const Die& die, VariableRecord& variable);

  const DwarfFile* file_;
  QualifiedNames* names_;
  LineReader* lines_;
  StringPool* pool_;
  ModuleTables* tables_;
  TypeReader types_;
};

}  // namespace cdr::symbols

#endif
