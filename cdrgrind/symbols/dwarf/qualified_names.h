// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names of DIEs with the namespaces, classes and functions around them:
// "ns::S::hits", "f::count". DIEs do not know their parents, so the scopes of a
// unit are listed once, each with the stretch of offsets that it contains.
// Does not add parameters or template arguments beyond what DW_AT_name has.
#ifndef CDRGRIND_SYMBOLS_DWARF_QUALIFIED_NAMES_H
#define CDRGRIND_SYMBOLS_DWARF_QUALIFIED_NAMES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cdrgrind/symbols/dwarf/dwarf_die.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"

namespace cdr::symbols {

class QualifiedNames {
 public:
  explicit QualifiedNames(const DwarfFile& file) : file_(&file) {}

  // The name of the DIE, or of the DIE that it completes, copies or stands for
  // (DW_AT_specification, DW_AT_abstract_origin, DW_AT_signature). Empty if
  // there is none.
  std::string of(const Die& die);

  // Whether the DIE, or the one that it completes or copies, is declared in a class; of C++.
  bool is_member(const Die& die);

  // The class, struct or union definition of that qualified name, in any unit.
  std::optional<DieKey> definition(const std::string& name);

 private:
  struct Scope {
    std::uint64_t begin;
    std::uint64_t end;
    std::int32_t parent;  // index, -1 = the unit
    bool is_definition;   // of a class, struct or union
  };
  using Scopes = std::vector<Scope>;

  std::string of(const Die& die, int depth);
  static const Scope* scope_around(const Scopes& scopes, DieKey key);
  std::string scope_name(DieKey key, int depth);
  const Scopes& scopes_of(const DwarfUnit& unit);
  void list_scopes(Scopes& scopes, const Die& parent, std::int32_t parent_index, std::uint64_t end, int depth,
                   bool in_c);
  void list_definitions();

  const DwarfFile* file_;
  std::unordered_map<const DwarfUnit*, Scopes> scopes_;
  std::unordered_map<DieKey, std::string, DieKeyHash> scope_names_;
  bool definitions_listed_ = false;
  std::unordered_map<std::string, DieKey> definitions_;
};

}  // namespace cdr::symbols

#endif
