// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where functions and variables stand among a unit's DIEs: below which of them
// one has to look.
#ifndef CDRGRIND_SYMBOLS_DWARF_DIE_SCOPES_H
#define CDRGRIND_SYMBOLS_DWARF_DIE_SCOPES_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

namespace cdr::symbols {

constexpr int kMaxBlockDepth = 512;  // of nested blocks, against damaged files

// For code and variables, besides functions and their inlined copies.
constexpr bool is_looked_into(Dwarf_Half tag, bool in_function) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_common_block:  // Fortran's variables
      return true;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
      return in_function;  // g++ puts the code of local classes there
    default:
      return false;
  }
}

}  // namespace cdr::symbols

#endif
