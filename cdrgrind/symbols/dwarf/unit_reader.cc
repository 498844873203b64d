// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/unit_reader.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/symbols/dwarf/code_reader.h"
#include "cdrgrind/symbols/elf/elf_image.h"

namespace cdr::symbols {

UnitReader::UnitReader(std::shared_ptr<const DwarfFile> file, const std::string& path,
                       const std::vector<PathMap>& path_maps, IsCode is_code, const SymbolTable& symbols,
                       StringPool& pool)
    : file_(std::move(file)),
      names_(*file_),
      is_code_(std::move(is_code)),
      symbols_(&symbols),
      pool_(&pool),
      line_reader_(*file_, read_debug_section(path, ".debug_line"), path_maps, is_code_, pool,
                   [this](std::uint64_t offset) { return unsealed_.emplace_back(&lines_[offset]); }),
      is_whole_(file_->damaged_units() == 0 && std::none_of(file_->units().begin(), file_->units().end(),
                                                            [](const DwarfUnit& u) { return u.is_split; })) {}

const UnitReader::Tables* UnitReader::at(std::uint64_t address) {
  const Tables* found = nullptr;
  file_->for_units_at(address, [&](const DwarfUnit& unit) {
    const Tables& tables = tables_of(unit);
    if (tables.lines->find(address) || tables.code.innermost(address) != 0) found = &tables;
    return found == nullptr;
  });
  return found;
}

const VariableRecord* UnitReader::variable_at(std::uint64_t address, bool is_tls) {
  if (!variables_) variables_ = std::make_unique<VariableFinder>(*file_, names_, line_reader_, *symbols_, *pool_);
  const VariableRecord* const found = is_tls ? variables_->tls_at(address) : variables_->at(address);
  seal_lines();
  return found;
}

// Those that were read for the names of their files, too.
void UnitReader::seal_lines() {
  for (LineTable* lines : unsealed_) lines->seal();
  unsealed_.clear();
}

const UnitReader::Tables& UnitReader::tables_of(const DwarfUnit& unit) {
  static const LineTable kNoLines;
  std::unique_ptr<Tables>& tables = tables_[&unit];
  if (tables) return *tables;
  tables = std::make_unique<Tables>();
  tables->lines = &kNoLines;
  file_->visit_unit(unit, [&](const DwarfUnit&) {
    if (unit.line_offset) {
      line_reader_.read_program_of(unit);
      if (const auto lines = lines_.find(*unit.line_offset); lines != lines_.end()) tables->lines = &lines->second;
    }
    CodeReader(*file_, names_, line_reader_, nullptr, *symbols_, is_code_, *pool_, tables->code).read(unit);
  });
  seal_lines();
  tables->code.seal();
  return *tables;
}

bool UnitReader::has_rows_of(StringId file) const {
  return std::any_of(lines_.begin(), lines_.end(), [&](const auto& program) {
    const auto rows = program.second.rows();
    return std::any_of(rows.begin(), rows.end(), [&](const LineRow& row) { return row.file == file; });
  });
}

}  // namespace cdr::symbols
