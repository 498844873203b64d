// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a debugger would stop for a source line, in one module's tables.
#ifndef CDRGRIND_SYMBOLS_TABLES_BREAKPOINTS_H
#define CDRGRIND_SYMBOLS_TABLES_BREAKPOINTS_H

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/tables/module_tables.h"

namespace cdr::symbols {

// The code of a line is cut into ranges: pieces that touch and belong to the
// same inlined copy are one. Of each range, the first address that begins a
// statement; addresses of the file, ascending.
std::vector<std::uint64_t> breakpoints_of_line(const ModuleTables& tables, const std::unordered_set<StringId>& files,
                                               std::uint32_t line);

// The least line of the files at or after `line` that begins a statement; 0 = none.
std::uint32_t first_line_from(const ModuleTables& tables, const std::unordered_set<StringId>& files,
                              std::uint32_t line);

}  // namespace cdr::symbols

#endif
