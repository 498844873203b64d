// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/list_headers.h"

#include "cdrgrind/symbols/common/byte_reader.h"
#include "cdrgrind/symbols/elf/elf_image.h"

namespace cdr::symbols {

namespace {

bool is_sound_table(ByteReader table, std::size_t offset_bytes) {
  if (table.fixed(2) != 5U) return false;  // version
  if (table.fixed(1) != 8U) return false;  // bytes of an address
  if (table.fixed(1) != 0U) return false;  // bytes of a segment selector
  const auto offset_count = table.fixed(4);
  return offset_count && *offset_count <= table.left() / offset_bytes;
}

}  // namespace

bool has_sound_list_headers(std::span<const std::uint8_t> section) {
  ByteReader bytes(section);
  while (!bytes.at_end()) {
    const auto length = bytes.fixed(4);
    if (!length) return false;
    const bool is_long = *length == 0xffffffff;
    const auto long_length = is_long ? bytes.fixed(8) : length;
    if (!long_length) return false;
    auto table = bytes.part(*long_length);
    if (!table || !is_sound_table(*table, is_long ? 8 : 4)) return false;
  }
  return true;
}

const char* unsound_list_section(const std::string& path) {
  for (const char* section : {".debug_rnglists", ".debug_loclists"})
    if (!has_sound_list_headers(read_debug_section(path, section))) return section;
  return nullptr;
}

}  // namespace cdr::symbols
