// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads local variables and parameters of functions: where in the frame they
// are, or in which register, for which code. Those of which no single frame
// place or register is told are left out. A walk of its own, for those who ask.
#ifndef CDRGRIND_SYMBOLS_DWARF_LOCAL_READER_H
#define CDRGRIND_SYMBOLS_DWARF_LOCAL_READER_H

#include <string>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/tables/local_table.h"

namespace cdr::symbols {

// Of the file at `path`; nothing of one that cannot be read.
LocalTable read_locals(const std::string& path, StringPool& pool);

}  // namespace cdr::symbols

#endif
