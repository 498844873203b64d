// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/variable_reader.h"

#include <libdwarf/dwarf.h>

#include "cdrgrind/symbols/common/byte_reader.h"

namespace cdr::symbols {

namespace {

std::optional<std::uint64_t> indexed_address(const Die& die, std::optional<std::uint64_t> index) {
  Dwarf_Addr address = 0;
  DwarfError error(die.debug());
  if (!index || dwarf_debug_addr_index_to_addr(die.raw(), *index, &address, error.out()) != DW_DLV_OK) {
    return std::nullopt;
  }
  return address;
}

// The constant that the first operation puts on the stack.
std::optional<std::uint64_t> first_value(const Die& die, std::uint64_t operation, ByteReader& operands) {
  switch (operation) {
    case DW_OP_addr:
    case DW_OP_const8u:
      return operands.fixed(8);
    case DW_OP_const4u:
      return operands.fixed(4);
    case DW_OP_constu:
      return operands.unsigned_leb128();
    case DW_OP_addrx:
    case DW_OP_constx:
    case DW_OP_GNU_addr_index:
    case DW_OP_GNU_const_index:
      return indexed_address(die, operands.unsigned_leb128());
    default:
      return std::nullopt;
  }
}

bool is_address(std::uint64_t operation) {
  return operation == DW_OP_addr || operation == DW_OP_addrx || operation == DW_OP_GNU_addr_index;
}

}  // namespace

// Known forms: ADDRESS, ADDRESS + constant, and CONSTANT in the thread's block.
std::optional<VariableReader::FixedLocation> VariableReader::location_of(const Die& die) {
  DieAttribute location = die.attribute(DW_AT_location);
  if (!location) return std::nullopt;
  ByteReader operands(location.expression());
  const auto first = operands.fixed(1);
  if (!first) return std::nullopt;
  auto value = first_value(die, *first, operands);
  if (!value) return std::nullopt;
  bool is_tls = false;
  while (auto operation = operands.fixed(1)) {
    if (*operation == DW_OP_plus_uconst) {
      *value += operands.unsigned_leb128().value_or(0);
    } else if (*operation == DW_OP_GNU_push_tls_address || *operation == DW_OP_form_tls_address) {
      is_tls = true;
    } else {
      return std::nullopt;
    }
  }
  if (!is_tls && (!is_address(*first) || *value == 0)) return std::nullopt;
  return FixedLocation{*value, is_tls};
}

void VariableReader::read(const Die& die) {
  const auto place = location_of(die);
  if (!place) return;
  const VariableRecord variable = record(die, *place);
  if (variable.name == StringId::empty) return;
  (place->is_tls ? tables_->tls_variables : tables_->variables).add(variable);
}

VariableRecord VariableReader::record(const Die& die, const FixedLocation& place) {
  VariableRecord variable;
  variable.address = place.value;
  variable.name = pool_->intern(names_->of(die));
  variable.is_member = names_->is_member(die);
  describe(die, variable);
  variable.size = tables_->types.type(variable.type).size;
  return variable;
}

// Type and declaration may stand at a DIE that this one completes or copies.
void VariableReader::describe(const Die& first, VariableRecord& variable) {
  DieKey key = first.key();
  for (int i = 0; i < kMaxLinks; ++i) {
    Die die = file_->die_at(key);
    const DwarfUnit* unit = file_->unit_of(key);
    if (!die || !unit) return;
    if (variable.type == 0) variable.type = types_.type_of(die);
    if (variable.decl_line == 0) {
      variable.decl_line = static_cast<std::uint32_t>(die.number(DW_AT_decl_line).value_or(0));
    }
    if (variable.decl_file == StringId::empty) {
      if (auto file = die.number(DW_AT_decl_file)) variable.decl_file = lines_->file(*unit, *file);
    }
    auto next = file_->reference(die, DW_AT_specification);
    if (!next) next = file_->reference(die, DW_AT_abstract_origin);
    if (!next) return;
    key = *next;
  }
}

}  // namespace cdr::symbols
