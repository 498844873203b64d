// SPDX-License-Identifier: GPL-2.0-or-later
//
// Data addresses to global and static variables, for one module; one table for
// ordinary ones and one for thread-local ones (by offset in the module's block).
// Invariant after seal(): sorted by address, one variable per address.
#ifndef CDRGRIND_SYMBOLS_TABLES_VARIABLE_TABLE_H
#define CDRGRIND_SYMBOLS_TABLES_VARIABLE_TABLE_H

#include <cstdint>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/tables/type_table.h"

namespace cdr::symbols {

struct VariableRecord {
  std::uint64_t address = 0;  // in the file, or offset in the thread-local block
  std::uint64_t size = 0;
  StringId name = StringId::empty;  // qualified
  TypeIndex type = 0;
  StringId decl_file = StringId::empty;
  std::uint32_t decl_line = 0;
  bool is_member = false;  // of a class
};

// Built once, then read-only.
class VariableTable {
 public:
  void add(const VariableRecord& variable) { variables_.push_back(variable); }

  // `size_of(address)` supplies the size of a variable whose type has none.
  template <class SizeOf>
  void seal(SizeOf size_of) {
    for (VariableRecord& variable : variables_) {
      if (variable.size == 0) variable.size = size_of(variable.address);
    }
    sort_and_drop_duplicates();
  }

  const VariableRecord* find(std::uint64_t address) const;

 private:
  void sort_and_drop_duplicates();

  std::vector<VariableRecord> variables_;
};

}  // namespace cdr::symbols

#endif
