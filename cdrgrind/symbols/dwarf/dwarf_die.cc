// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/dwarf_die.h"

#include <libdwarf/dwarf.h>

namespace cdr::symbols {

Dwarf_Half DieAttribute::form() const {
  Dwarf_Half form = 0;
  DwarfError error(debug_);
  if (!attribute_ || dwarf_whatform(attribute_, &form, error.out()) != DW_DLV_OK) return 0;
  return form;
}

std::optional<std::uint64_t> DieAttribute::number() const {
  if (!attribute_) return std::nullopt;
  // dwarf_formudata() refuses implicit_const, which g++ 12 uses for line numbers.
  const Dwarf_Half kind = form();
  if (kind != DW_FORM_implicit_const && kind != DW_FORM_sdata) {
    Dwarf_Unsigned value = 0;
    DwarfError error(debug_);
    if (dwarf_formudata(attribute_, &value, error.out()) == DW_DLV_OK) return value;
  }
  Dwarf_Signed value = 0;
  DwarfError error(debug_);
  if (dwarf_formsdata(attribute_, &value, error.out()) != DW_DLV_OK) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::optional<std::uint64_t> DieAttribute::address() const {
  Dwarf_Addr value = 0;
  DwarfError error(debug_);
  if (!attribute_ || dwarf_formaddr(attribute_, &value, error.out()) != DW_DLV_OK) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> DieAttribute::section_offset() const {
  Dwarf_Off value = 0;
  DwarfError error(debug_);
  if (!attribute_ || dwarf_global_formref(attribute_, &value, error.out()) != DW_DLV_OK) return std::nullopt;
  return value;
}

std::string_view DieAttribute::text() const {
  char* value = nullptr;
  DwarfError error(debug_);
  if (!attribute_ || dwarf_formstring(attribute_, &value, error.out()) != DW_DLV_OK || !value) return {};
  return value;
}

bool DieAttribute::flag() const {
  Dwarf_Bool value = 0;
  DwarfError error(debug_);
  return attribute_ && dwarf_formflag(attribute_, &value, error.out()) == DW_DLV_OK && value;
}

std::span<const std::uint8_t> DieAttribute::expression() const {
  if (form() != DW_FORM_exprloc) return {};
  Dwarf_Unsigned size = 0;
  Dwarf_Ptr bytes = nullptr;
  DwarfError error(debug_);
  if (dwarf_formexprloc(attribute_, &size, &bytes, error.out()) != DW_DLV_OK) return {};
  return {static_cast<const std::uint8_t*>(bytes), size};
}

DieKey Die::key() const {
  Dwarf_Off offset = 0;
  DwarfError error(debug_);
  if (!die_ || dwarf_dieoffset(die_, &offset, error.out()) != DW_DLV_OK) return {};
  return {offset, dwarf_get_die_infotypes_flag(die_) == 0};
}

Dwarf_Half Die::tag() const {
  Dwarf_Half tag = 0;
  DwarfError error(debug_);
  if (!die_ || dwarf_tag(die_, &tag, error.out()) != DW_DLV_OK) return 0;
  return tag;
}

Die Die::child() const {
  Dwarf_Die child = nullptr;
  DwarfError error(debug_);
  if (!die_ || dwarf_child(die_, &child, error.out()) != DW_DLV_OK) return {};
  return {debug_, child};
}

Die Die::sibling() const {
  Dwarf_Die sibling = nullptr;
  DwarfError error(debug_);
  const Dwarf_Bool in_info = dwarf_get_die_infotypes_flag(die_);
  if (dwarf_siblingof_b(debug_, die_, in_info, &sibling, error.out()) != DW_DLV_OK) return {};
  return {debug_, sibling};
}

DieAttribute Die::attribute(Dwarf_Half name) const {
  Dwarf_Attribute attribute = nullptr;
  DwarfError error(debug_);
  if (!die_ || dwarf_attr(die_, name, &attribute, error.out()) != DW_DLV_OK) return {};
  return {debug_, attribute};
}

bool Die::has(Dwarf_Half name) const {
  Dwarf_Bool found = 0;
  DwarfError error(debug_);
  return die_ && dwarf_hasattr(die_, name, &found, error.out()) == DW_DLV_OK && found;
}

std::string_view Die::text(Dwarf_Half name) const { return attribute(name).text(); }

}  // namespace cdr::symbols
