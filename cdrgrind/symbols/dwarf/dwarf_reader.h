// SPDX-License-Identifier: GPL-2.0-or-later
//
// Turns the debug information of one file into a module's tables, in one walk
// over the DIEs of all units. What cannot be read becomes a note.
#ifndef CDRGRIND_SYMBOLS_DWARF_DWARF_READER_H
#define CDRGRIND_SYMBOLS_DWARF_DWARF_READER_H

#include <functional>
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/options.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/tables/module_tables.h"
#include "cdrgrind/symbols/tables/symbol_table.h"

namespace cdr::symbols {

// Reads `file`, which is the one at `path`, into `tables`, which the caller seals; `symbols` are
// those of the module, `is_code` tells which of its addresses are code. Returns notes for the user.
std::vector<std::string> read_dwarf(const DwarfFile& file, const std::string& path,
                                    const std::vector<PathMap>& path_maps,
                                    const std::function<bool(std::uint64_t)>& is_code, const SymbolTable& symbols,
                                    StringPool& pool, ModuleTables& tables);

}  // namespace cdr::symbols

#endif
