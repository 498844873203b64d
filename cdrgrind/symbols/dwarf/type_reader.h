// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the types of variables into a TypeTable: their names, and the layout
// of what is reached by value. A type that a unit only
// declares is looked for in the module's other units (clang leaves definitions
// out where another unit has them).
#ifndef CDRGRIND_SYMBOLS_DWARF_TYPE_READER_H
#define CDRGRIND_SYMBOLS_DWARF_TYPE_READER_H

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/type_spelling.h"
#include "cdrgrind/symbols/tables/type_table.h"

namespace cdr::symbols {

class TypeReader {
 public:
  // Whether what pointers point to is read, too.
  enum class Pointers : std::uint8_t { kNamed, kFollowed };

  TypeReader(const DwarfFile& file, QualifiedNames& names, StringPool& pool, TypeTable& types,
             Pointers pointers = Pointers::kNamed)
      : file_(&file), names_(&names), spelling_(file, names), pool_(&pool), types_(&types), pointers_(pointers) {}

  // The type of a variable's DIE; 0 when it has none.
  TypeIndex type_of(const Die& die);

 private:
  TypeIndex read(DieKey key);
  TypeIndex read_later(DieKey key);
  TypeRecord layout(const Die& die);
  TypeRecord alias_layout(const Die& die);
  TypeRecord record_layout(const Die& die);
  TypeTraits class_traits(const Die& die, const std::vector<MemberRecord>& members) const;
  bool is_of_c(const Die& die) const;
  static std::uint64_t descriptor_size(std::size_t dimensions);
  TypeRecord array_layout(const Die& die);
  std::optional<MemberRecord> member(const Die& die);
  static std::uint64_t member_bit(const Die& die, std::uint64_t bit_size, std::uint64_t type_size);

  const DwarfFile* file_;
  QualifiedNames* names_;
  TypeSpelling spelling_;
  StringPool* pool_;
  TypeTable* types_;
  Pointers pointers_;
  std::unordered_map<DieKey, TypeIndex, DieKeyHash> done_;
  std::unordered_set<DieKey, DieKeyHash> promised_;  // known by number only
  std::vector<DieKey> left_;                         // to be read of these
  int depth_ = 0;
};

}  // namespace cdr::symbols

#endif
