// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/tables/symbol_table.h"

#include <gelf.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "cdrgrind/symbols/elf/elf_image.h"
#include "cdrgrind/symbols/elf/plt_names.h"

namespace cdr::symbols {

namespace {

// "stdout@GLIBC_2.2.5" is stdout.
std::string_view without_version(std::string_view name) {
  const std::size_t at = name.find('@');
  return at == 0 ? name : name.substr(0, at);
}

// Labels of mapping and of the assembler, not names.
bool is_noise(std::string_view name) { return name.empty() || name.starts_with('$') || name.starts_with(".L"); }

const ElfSymbol* find(const std::vector<ElfSymbol>& symbols, std::uint64_t address) {
  auto after = std::upper_bound(symbols.begin(), symbols.end(), address,
                                [](std::uint64_t wanted, const ElfSymbol& symbol) { return wanted < symbol.begin; });
  if (after == symbols.begin()) return nullptr;
  const ElfSymbol& candidate = *std::prev(after);
  return address < candidate.end ? &candidate : nullptr;
}

}  // namespace

struct SymbolTable::Reader {
  SymbolTable& table;
  StringPool& pool;
  Elf* elf;

  void read_section(Elf_Scn* section, const GElf_Shdr& header) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (!data || header.sh_entsize == 0) return;
    const std::size_t count = header.sh_size / header.sh_entsize;
    for (std::size_t i = 1; i < count; ++i) {
      GElf_Sym symbol;
      if (!gelf_getsym(data, static_cast<int>(i), &symbol)) break;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name) add(symbol, without_version(name));
    }
  }

  void add(const GElf_Sym& symbol, std::string_view name) {
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE || is_noise(name)) return;
    GElf_Shdr section;
    Elf_Scn* scn = elf_getscn(elf, symbol.st_shndx);
    if (!scn || !gelf_getshdr(scn, &section)) return;
    if (Candidates* list = list_for(symbol, section)) {
      list->push_back(candidate(symbol, section, name));
    }
  }

  Candidates* list_for(const GElf_Sym& symbol, const GElf_Shdr& section) {
    switch (GELF_ST_TYPE(symbol.st_info)) {
      case STT_FUNC:
      case STT_GNU_IFUNC:
        return &table.raw_functions_;
      case STT_OBJECT:
        return &table.raw_objects_;
      case STT_TLS:
        return &table.raw_tls_;
      case STT_NOTYPE:
        return section.sh_flags & SHF_EXECINSTR ? &table.raw_functions_ : nullptr;
      default:
        return nullptr;
    }
  }

  Candidate candidate(const GElf_Sym& symbol, const GElf_Shdr& section, std::string_view name) {
    const int binding = GELF_ST_BIND(symbol.st_info);
    const int type = GELF_ST_TYPE(symbol.st_info);
    Candidate c;
    c.symbol = {symbol.st_value, symbol.st_value + symbol.st_size, pool.intern(name),
                binding != STB_LOCAL && !name.starts_with('_')};
    c.limit = type == STT_TLS ? std::numeric_limits<std::uint64_t>::max() : section.sh_addr + section.sh_size;
    c.rank = (type == STT_NOTYPE ? 8 : 0) + (binding == STB_LOCAL ? 4 : 0) +
             (name.starts_with('_') && !name.starts_with("_Z") ? 2 : 0) + (binding == STB_WEAK ? 1 : 0);
    c.name_size = static_cast<std::uint32_t>(name.size());
    return c;
  }
};

void SymbolTable::read(const std::string& path, StringPool& pool) {
  ElfHandle elf(path);
  if (!elf) return;
  Reader reader{*this, pool, elf.get()};
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf.get(), section)) != nullptr) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header)) continue;
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) {
      reader.read_section(section, header);
    }
  }
  for (const PltName& plt : read_plt_names(elf.get())) {
    Candidate c;
    c.symbol = {plt.begin, plt.end, pool.intern(plt.name), false};
    c.limit = plt.end;
    raw_functions_.push_back(c);
  }
}

void SymbolTable::seal_list(Candidates& candidates, std::vector<ElfSymbol>& symbols) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(a.symbol.begin, a.rank, a.name_size, a.symbol.name) <
           std::tuple(b.symbol.begin, b.rank, b.name_size, b.symbol.name);
  });
  std::uint64_t covered_to = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& c = candidates[i];
    if (i > 0 && candidates[i - 1].symbol.begin == c.symbol.begin) continue;
    // A label without a size inside a function is part of that function.
    const bool is_label = c.symbol.end == c.symbol.begin;
    if (is_label && c.symbol.begin < covered_to) continue;
    if (is_label) c.symbol.end = c.limit;
    symbols.push_back(c.symbol);
    if (!is_label) covered_to = std::max(covered_to, c.symbol.end);
  }
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
    symbols[i].end = std::min(symbols[i].end, symbols[i + 1].begin);
  }
  candidates = Candidates();
}

void SymbolTable::seal() {
  seal_list(raw_functions_, functions_);
  seal_list(raw_objects_, objects_);
  seal_list(raw_tls_, tls_);
}

const ElfSymbol* SymbolTable::function_at(std::uint64_t address) const { return find(functions_, address); }

const ElfSymbol* SymbolTable::object_at(std::uint64_t address) const { return find(objects_, address); }

const ElfSymbol* SymbolTable::tls_object_at(std::uint64_t offset) const { return find(tls_, offset); }

std::uint64_t SymbolTable::bytes_left_at(std::uint64_t address, bool is_tls) const {
  const ElfSymbol* const symbol = is_tls ? tls_object_at(address) : object_at(address);
  return symbol ? symbol->end - address : 1;
}

}  // namespace cdr::symbols
