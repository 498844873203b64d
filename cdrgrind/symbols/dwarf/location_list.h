// SPDX-License-Identifier: GPL-2.0-or-later
//
// The places of a variable, as its DW_AT_location tells them: one expression, or a list of them by code.
#ifndef CDRGRIND_SYMBOLS_DWARF_LOCATION_LIST_H
#define CDRGRIND_SYMBOLS_DWARF_LOCATION_LIST_H

#include <cstdint>
#include <optional>
#include <vector>

#include "cdrgrind/symbols/dwarf/dwarf_die.h"

namespace cdr::symbols {

struct LocationOperation {
  Dwarf_Small code = 0;
  Dwarf_Unsigned first = 0, second = 0;
};

struct LocationEntry {
  bool everywhere = false;  // begin and end are not told
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<LocationOperation> operations;  // at least one
};

// Without those that are damaged, or have more than 32 operations.
std::vector<LocationEntry> location_entries(const Die& die, const DieAttribute& location);

// DWARF's numbers of x86-64 as machine code has them; vector registers from 16 on.
std::optional<std::uint8_t> machine_register(std::uint64_t number);

// What a function's frame places are counted from, as bytes from the canonical frame address; nothing if it is neither
// that nor the frame pointer.
std::optional<std::int64_t> frame_base(const Die& function);

// Whether they are counted from the stack pointer, as it is in the function's body.
bool has_stack_pointer_base(const Die& function);

}  // namespace cdr::symbols

#endif
