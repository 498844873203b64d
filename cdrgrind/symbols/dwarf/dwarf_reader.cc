// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/dwarf_reader.h"

#include "cdrgrind/symbols/dwarf/code_reader.h"
#include "cdrgrind/symbols/dwarf/line_reader.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/variable_reader.h"
#include "cdrgrind/symbols/elf/elf_image.h"

namespace cdr::symbols {

namespace {

void note_split_units(const DwarfFile& file, std::vector<std::string>& notes) {
  std::size_t split = 0;
  for (const DwarfUnit& unit : file.units()) split += unit.is_split ? 1 : 0;
  if (split == 0) return;
  notes.push_back("split debug information (-gsplit-dwarf) is not read: " + std::to_string(split) + " of " +
                  std::to_string(file.units().size()) +
                  " units have lines only, without inlined calls and variable names");
}

void note_damage(const DwarfFile& file, const LineReader& lines, std::vector<std::string>& notes) {
  if (file.damaged_units() > 0) {
    notes.push_back("damaged debug information: " + std::to_string(file.damaged_units()) + " unit(s) left out");
  }
  if (lines.damaged_tables() > 0) {
    notes.push_back("damaged debug information: " + std::to_string(lines.damaged_tables()) + " line table(s) left out");
  }
}

}  // namespace

std::vector<std::string> read_dwarf(const DwarfFile& file, const std::string& path,
                                    const std::vector<PathMap>& path_maps,
                                    const std::function<bool(std::uint64_t)>& is_code, const SymbolTable& symbols,
                                    StringPool& pool, ModuleTables& tables) {
  QualifiedNames names(file);
  LineReader lines(file, read_debug_section(path, ".debug_line"), path_maps, is_code, pool,
                   [&](std::uint64_t) { return &tables.lines; });
  lines.read_all();
  for (const DwarfUnit& unit : file.units())
    if (!unit.producer.empty()) tables.compilers.insert(unit.producer);
  VariableReader variables(file, names, lines, pool, tables);
  CodeReader code(file, names, lines, &variables, symbols, is_code, pool, tables.code);
  code.read_all();
  std::vector<std::string> notes;
  note_split_units(file, notes);
  note_damage(file, lines, notes);
  return notes;
}

}  // namespace cdr::symbols
