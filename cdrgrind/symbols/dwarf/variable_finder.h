// SPDX-License-Identifier: GPL-2.0-or-later
//
// Variables with a fixed place, each read when something in it is asked for:
// names, types and files of a library's other ones take long. What is found is
// what the VariableTables of the whole file have.
#ifndef CDRGRIND_SYMBOLS_DWARF_VARIABLE_FINDER_H
#define CDRGRIND_SYMBOLS_DWARF_VARIABLE_FINDER_H

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/dwarf/line_reader.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/variable_reader.h"
#include "cdrgrind/symbols/tables/module_tables.h"
#include "cdrgrind/symbols/tables/symbol_table.h"

namespace cdr::symbols {

// Not thread-safe.
class VariableFinder {
 public:
  // The references must outlive it; `symbols` are the module's.
  VariableFinder(const DwarfFile& file, QualifiedNames& names, LineReader& lines, const SymbolTable& symbols,
                 StringPool& pool);

  // The one that has the byte; null if none has. It stays where it is.
  const VariableRecord* at(std::uint64_t address);
  // The same at an offset in a thread's block.
  const VariableRecord* tls_at(std::uint64_t offset);
  // Of those that were found.
  const TypeTable& types() const { return tables_.types; }

 private:
  struct Place {
    std::uint64_t begin = 0;
    DieKey die;
  };
  struct Places {
    bool is_tls = false;
    std::vector<Place> sorted;  // by begin, then in the file's order
    // By begin: what is known there, if there is a variable.
    std::unordered_map<std::uint64_t, std::optional<VariableRecord>> known;
  };

  void list_children(const Die& parent, bool in_function, int depth);
  void list(const Die& die, bool in_function, int depth);
  const VariableRecord* find(Places& places, std::uint64_t wanted);
  std::optional<VariableRecord> read(const Places& places, std::uint64_t begin);

  const DwarfFile* file_;
  const SymbolTable* symbols_;
  VariableTables tables_;  // its types alone
  VariableReader reader_;
  Places variables_{.is_tls = false, .sorted = {}, .known = {}},
      tls_variables_{.is_tls = true, .sorted = {}, .known = {}};
};

}  // namespace cdr::symbols

#endif
