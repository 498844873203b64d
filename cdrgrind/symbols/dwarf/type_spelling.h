// SPDX-License-Identifier: GPL-2.0-or-later
//
// Types as they are written in C and C++: "const char *[4]", "int (*)(long)".
// A spelling has a part before and a part after the place where a declared
// name would stand, since a pointer to an array goes into the middle.
#ifndef CDRGRIND_SYMBOLS_DWARF_TYPE_SPELLING_H
#define CDRGRIND_SYMBOLS_DWARF_TYPE_SPELLING_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"

namespace cdr::symbols {

// The numbers of elements of an array type, outermost first; 0 = open.
std::vector<std::uint64_t> array_dimensions(const DwarfFile& file, const Die& array);

class TypeSpelling {
 public:
  TypeSpelling(const DwarfFile& file, QualifiedNames& names) : file_(&file), names_(&names) {}

  std::string of(const Die& type);

  // What stands behind a function's name: "(int, char *) const".
  std::string of_parameters(const Die& function);

  // An array type without its first dimensions.
  std::string of_array_from(const Die& array, std::size_t first_dimension);

 private:
  struct Parts {
    std::string before;
    std::string after;
    std::string joined() const;
  };

  Parts spell(const Die& type, int depth);
  Parts spell_target(const Die& type, int depth);
  Parts spell_array(const Die& array, std::size_t first_dimension, int depth);
  static Parts point(Parts target, std::string_view symbol);
  static Parts qualify(Parts target, std::string_view qualifier);
  std::string plain_name(const Die& type);
  std::string parameters(const Die& function, int depth);

  const DwarfFile* file_;
  QualifiedNames* names_;
};

}  // namespace cdr::symbols

#endif
