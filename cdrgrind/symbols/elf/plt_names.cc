// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/elf/plt_names.h"

#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace cdr::symbols {

namespace {

constexpr std::uint64_t kStubBytes = 16;

// From the address of a slot in the global offset table to the function's name.
using SlotNames = std::unordered_map<std::uint64_t, std::string>;

std::string symbol_name(Elf* elf, std::size_t symbols_section, std::size_t index) {
  Elf_Scn* section = elf_getscn(elf, symbols_section);
  GElf_Shdr header;
  GElf_Sym symbol;
  if (!section || !gelf_getshdr(section, &header)) return {};
  Elf_Data* data = elf_getdata(section, nullptr);
  if (!data || !gelf_getsym(data, static_cast<int>(index), &symbol)) return {};
  const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
  return name ? name : "";
}

void read_relocations(SlotNames& slots, Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (!data || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Rela relocation;
    if (!gelf_getrela(data, static_cast<int>(i), &relocation)) return;
    const auto type = GELF_R_TYPE(relocation.r_info);
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
    std::string name = symbol_name(elf, header.sh_link, GELF_R_SYM(relocation.r_info));
    if (!name.empty()) slots.emplace(relocation.r_offset, std::move(name));
  }
}

// The slot that `jmp *disp(%rip)` (ff 25 disp32) in a stub goes through, or 0.
std::uint64_t slot_of_stub(const unsigned char* code, std::uint64_t address) {
  for (std::size_t i = 0; i + 6 <= kStubBytes; ++i) {
    if (code[i] != 0xff || code[i + 1] != 0x25) continue;
    std::int32_t displacement;
    std::memcpy(&displacement, code + i + 2, sizeof displacement);
    return address + i + 6 + static_cast<std::uint64_t>(std::int64_t{displacement});
  }
  return 0;
}

void read_stubs(std::vector<PltName>& names, const SlotNames& slots, Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (!data || !data->d_buf) return;
  const auto* code = static_cast<const unsigned char*>(data->d_buf);
  const std::uint64_t step = header.sh_entsize == 8 ? 8 : kStubBytes;
  for (std::uint64_t at = 0; at + kStubBytes <= data->d_size || at + step <= data->d_size; at += step) {
    unsigned char stub[kStubBytes] = {};
    std::memcpy(stub, code + at, std::min<std::uint64_t>(step, data->d_size - at));
    auto found = slots.find(slot_of_stub(stub, header.sh_addr + at));
    if (found == slots.end()) continue;
    names.push_back({header.sh_addr + at, header.sh_addr + at + step, found->second + "@plt"});
  }
}

template <class Visit>
void for_each_header(Elf* elf, Visit visit) {
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header)) visit(section, header);
  }
}

}  // namespace

std::vector<PltName> read_plt_names(Elf* elf) {
  std::size_t section_names = 0;
  if (elf_getshdrstrndx(elf, &section_names) != 0) return {};
  SlotNames slots;
  for_each_header(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type == SHT_RELA) read_relocations(slots, elf, section, header);
  });
  std::vector<PltName> names;
  for_each_header(elf, [&](Elf_Scn* section, const GElf_Shdr& header) {
    const char* name = elf_strptr(elf, section_names, header.sh_name);
    if (name && std::string_view(name).starts_with(".plt") && header.sh_type == SHT_PROGBITS) {
      read_stubs(names, slots, section, header);
    }
  });
  return names;
}

}  // namespace cdr::symbols
