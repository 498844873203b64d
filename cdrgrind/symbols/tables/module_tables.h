// SPDX-License-Identifier: GPL-2.0-or-later
//
// Everything that is known of one module's addresses, in our own sorted
// tables. Addresses are those of the file.
#ifndef CDRGRIND_SYMBOLS_TABLES_MODULE_TABLES_H
#define CDRGRIND_SYMBOLS_TABLES_MODULE_TABLES_H

#include <set>
#include <string>

#include "cdrgrind/symbols/tables/code_table.h"
#include "cdrgrind/symbols/tables/line_table.h"
#include "cdrgrind/symbols/tables/type_table.h"
#include "cdrgrind/symbols/tables/variable_table.h"

namespace cdr::symbols {

struct VariableTables {
  TypeTable types;
  VariableTable variables;
  VariableTable tls_variables;
};

struct ModuleTables : VariableTables {
  LineTable lines;
  CodeTable code;
  std::set<std::string> compilers;  // as the units name them
};

}  // namespace cdr::symbols

#endif
