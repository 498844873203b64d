// SPDX-License-Identifier: GPL-2.0-or-later
//
// Everything that is known of one module's addresses, in our own sorted
// tables. Addresses are those of the file.
#ifndef CDRGRIND_SYMBOLS_MODULE_TABLES_H
#define CDRGRIND_SYMBOLS_MODULE_TABLES_H

#include "cdrgrind/symbols/code_table.h"
#include "cdrgrind/symbols/line_table.h"
#include "cdrgrind/symbols/symbol_table.h"
#include "cdrgrind/symbols/type_table.h"
#include "cdrgrind/symbols/variable_table.h"

namespace cdr::symbols {

struct ModuleTables {
  LineTable lines;
  CodeTable code;
  TypeTable types;
  VariableTable variables;
  VariableTable tls_variables;
  SymbolTable symbols;
};

}  // namespace cdr::symbols

#endif
