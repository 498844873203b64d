// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/location_list.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <utility>

#include "cdrgrind/config.h"
#include "cdrgrind/symbols/common/byte_reader.h"

namespace cdr::symbols {

namespace {

// What changed with libdwarf 0.4.
#if HAVE_DWARF_INIT_PATH_8
void free_places(Dwarf_Loc_Head_c head) { dwarf_dealloc_loc_head_c(head); }
#else
void free_places(Dwarf_Loc_Head_c head) { dwarf_loc_head_c_dealloc(head); }
#endif

constexpr Dwarf_Unsigned kMostEntries = 4096;
constexpr Dwarf_Unsigned kMostOperations = 32;

bool read_operation(const Die& die, Dwarf_Locdesc_c entry, Dwarf_Unsigned number, LocationOperation& to) {
  Dwarf_Unsigned third = 0, branch = 0;
  DwarfError error(die.debug());
  return dwarf_get_location_op_value_c(entry, number, &to.code, &to.first, &to.second, &third, &branch, error.out()) ==
         DW_DLV_OK;
}

// What lies behind a place in the frame, or behind a register's, is such a place, too: gcc says so of variables that
// nested functions use.
void join_offsets(std::vector<LocationOperation>& all) {
  if (all.size() < 2 || all[1].code != DW_OP_plus_uconst) return;
  if (all[0].code != DW_OP_fbreg && (all[0].code < DW_OP_breg0 || all[0].code > DW_OP_breg31)) return;
  all[0].first += all[1].first;
  all.erase(all.begin() + 1);
}

std::optional<LocationEntry> read_entry(const Die& die, Dwarf_Loc_Head_c head, Dwarf_Unsigned number) {
  Dwarf_Small kind = 0, source = 0;
  Dwarf_Unsigned raw_low = 0, raw_high = 0, operations = 0, expression = 0, description = 0;
  Dwarf_Bool unavailable = 0;
  Dwarf_Addr low = 0, high = 0;
  Dwarf_Locdesc_c entry = nullptr;
  DwarfError error(die.debug());
  if (dwarf_get_locdesc_entry_d(head, number, &kind, &raw_low, &raw_high, &unavailable, &low, &high, &operations,
                                &entry, &source, &expression, &description, error.out()) != DW_DLV_OK ||
      operations == 0 || operations > kMostOperations || unavailable)
    return std::nullopt;
  LocationEntry found{source == 0, low, high, std::vector<LocationOperation>(operations)};
  for (Dwarf_Unsigned i = 0; i < operations; ++i)
    if (!read_operation(die, entry, i, found.operations[i])) return std::nullopt;
  join_offsets(found.operations);
  return found;
}

std::optional<std::uint64_t> base_operation(const Die& function) {
  const DieAttribute attribute = function.attribute(DW_AT_frame_base);
  if (!attribute) return std::nullopt;
  ByteReader operands(attribute.expression());
  return operands.fixed(1);
}

}  // namespace

std::vector<LocationEntry> location_entries(const Die& die, const DieAttribute& location) {
  std::vector<LocationEntry> found;
  Dwarf_Loc_Head_c head = nullptr;
  Dwarf_Unsigned count = 0;
  DwarfError error(die.debug());
  if (dwarf_get_loclist_c(location.raw(), &head, &count, error.out()) != DW_DLV_OK) return found;
  for (Dwarf_Unsigned i = 0; i < std::min(count, kMostEntries); ++i)
    if (auto entry = read_entry(die, head, i)) found.push_back(std::move(*entry));
  free_places(head);
  return found;
}

std::optional<std::uint8_t> machine_register(std::uint64_t number) {
  constexpr std::uint8_t kGeneral[8] = {0, 2, 1, 3, 6, 7, 5, 4};
  if (number < 8) return kGeneral[number];
  if (number < 16) return static_cast<std::uint8_t>(number);
  if (number >= 17 && number < 33) return static_cast<std::uint8_t>(number - 1);
  return std::nullopt;
}

std::optional<std::int64_t> frame_base(const Die& function) {
  const auto operation = base_operation(function);
  if (operation == DW_OP_call_frame_cfa) return 0;
  // The frame pointer stands below the return address and the saved one.
  if (operation == DW_OP_reg6) return -16;
  return std::nullopt;
}

bool has_stack_pointer_base(const Die& function) { return base_operation(function) == DW_OP_reg7; }

}  // namespace cdr::symbols
