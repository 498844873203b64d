// SPDX-License-Identifier: GPL-2.0-or-later
//
// Looks over the headers of .debug_rnglists and .debug_loclists before libdwarf
// does: its release of 2021 frees twice when one of them is damaged.
#ifndef CDRGRIND_SYMBOLS_DWARF_LIST_HEADERS_H
#define CDRGRIND_SYMBOLS_DWARF_LIST_HEADERS_H

#include <cstdint>
#include <span>
#include <string>

namespace cdr::symbols {

// Whether a section of DWARF 5 range or location lists is a sequence of whole
// tables with headers that make sense (§7.28, §7.29). An empty one is.
bool has_sound_list_headers(std::span<const std::uint8_t> section);
// The name of the first section of the file at `path` that is not; null if both are.
const char* unsound_list_section(const std::string& path);

}  // namespace cdr::symbols

#endif
