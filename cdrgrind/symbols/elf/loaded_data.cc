// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/elf/loaded_data.h"

#include <gelf.h>

#include <algorithm>
#include <string_view>

namespace cdr::symbols {

namespace {

// f(header) until it returns true.
template <class F>
void for_each_segment(Elf* elf, F f) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) && f(header)) return;
  }
}

// The sections that give dynamic symbols the version of the library that has them.
struct Versions {
  Elf_Data* of_symbols = nullptr;
  Elf_Data* needed = nullptr;
  std::size_t texts = 0;

  explicit Versions(Elf* elf) {
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf, section)) != nullptr) {
      GElf_Shdr header;
      if (!gelf_getshdr(section, &header)) continue;
      if (header.sh_type == SHT_GNU_versym) of_symbols = elf_getdata(section, nullptr);
      if (header.sh_type != SHT_GNU_verneed) continue;
      needed = elf_getdata(section, nullptr);
      texts = header.sh_link;
    }
  }

  // "GLIBCXX_3.4"; empty: none.
  std::string_view of(Elf* elf, std::size_t symbol) const {
    GElf_Versym version;
    if (!of_symbols || !needed || !gelf_getversym(of_symbols, static_cast<int>(symbol), &version)) return {};
    GElf_Verneed need;
    for (int at = 0; gelf_getverneed(needed, at, &need); at += static_cast<int>(need.vn_next)) {
      GElf_Vernaux one;
      for (int i = at + static_cast<int>(need.vn_aux); gelf_getvernaux(needed, i, &one);
           i += static_cast<int>(one.vna_next)) {
        if (one.vna_other == (version & 0x7fff)) return text(elf, one.vna_name);
        if (one.vna_next == 0) break;
      }
      if (need.vn_next == 0) break;
    }
    return {};
  }

 private:
  std::string_view text(Elf* elf, std::size_t at) const {
    const char* t = elf_strptr(elf, texts, at);
    return t ? std::string_view(t) : std::string_view();
  }
};

bool is_runtime_version(std::string_view version) {
  return version.starts_with("GLIBC") || version.starts_with("CXXABI");
}

void add_copied(Elf* elf, Elf_Scn* relocations, const GElf_Shdr& header, std::vector<ElfSegment>& to) {
  Elf_Data* data = elf_getdata(relocations, nullptr);
  Elf_Scn* symbol_section = elf_getscn(elf, header.sh_link);
  Elf_Data* symbols = symbol_section ? elf_getdata(symbol_section, nullptr) : nullptr;
  if (!data || !symbols || header.sh_entsize == 0) return;
  const Versions versions(elf);
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Rela relocation;
    GElf_Sym symbol;
    if (!gelf_getrela(data, static_cast<int>(i), &relocation)) return;
    if (GELF_R_TYPE(relocation.r_info) != R_X86_64_COPY) continue;
    const std::size_t number = GELF_R_SYM(relocation.r_info);
    if (!gelf_getsym(symbols, static_cast<int>(number), &symbol)) continue;
    if (is_runtime_version(versions.of(elf, number)))
      to.push_back({relocation.r_offset, relocation.r_offset + symbol.st_size, false});
  }
}

void add_exported(Elf_Scn* section, const GElf_Shdr& header, std::vector<ElfSegment>& to) {
  Elf_Data* data = elf_getdata(section, nullptr);
  if (!data || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (!gelf_getsym(data, static_cast<int>(i), &symbol)) return;
    if (GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF)
      to.push_back({symbol.st_value, symbol.st_value + symbol.st_size, false});
  }
}

// f(section, header) for those of a type, in the file if there is one.
template <class F>
void for_each_section(const std::string& path, GElf_Word type, F f) {
  const ElfHandle elf(path);
  if (!elf) return;
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf.get(), section)) != nullptr) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && header.sh_type == type) f(elf.get(), section, header);
  }
}

}  // namespace

std::vector<ElfSegment> copied_variables(const std::string& path) {
  std::vector<ElfSegment> found;
  for_each_section(path, SHT_RELA, [&](Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
    add_copied(elf, section, header, found);
  });
  return found;
}

std::vector<ElfSegment> exported_variables(const std::string& path) {
  std::vector<ElfSegment> found;
  for_each_section(path, SHT_DYNSYM,
                   [&](Elf*, Elf_Scn* section, const GElf_Shdr& header) { add_exported(section, header, found); });
  return found;
}

std::uint64_t thread_local_bytes(const std::string& path) {
  std::uint64_t bytes = 0;
  const ElfHandle elf(path);
  if (!elf) return 0;
  for_each_segment(elf.get(), [&](const GElf_Phdr& header) {
    if (header.p_type != PT_TLS) return false;
    const std::uint64_t align = std::max<std::uint64_t>(header.p_align, 1);
    bytes = (header.p_memsz + align - 1) / align * align;
    return true;
  });
  return bytes;
}

}  // namespace cdr::symbols
