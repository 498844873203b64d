// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/line_reader.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <utility>

#include "cdrgrind/symbols/common/paths.h"

namespace cdr::symbols {

LineReader::LineReader(const DwarfFile& file, std::vector<std::uint8_t> debug_line,
                       const std::vector<PathMap>& path_maps, IsCode is_code, StringPool& pool, TableOf table_of)
    : file_(&file),
      debug_line_(std::move(debug_line)),
      path_maps_(&path_maps),
      is_code_(std::move(is_code)),
      pool_(&pool),
      table_of_(std::move(table_of)) {
  // A compile unit has the folder that a type unit may lack.
  for (const DwarfUnit& unit : file.units()) {
    if (!unit.line_offset) continue;
    const DwarfUnit*& owner = owners_[*unit.line_offset];
    if (!owner || (owner->comp_dir.empty() && !unit.comp_dir.empty())) owner = &unit;
  }
}

void LineReader::read_all() {
  file_->for_each_unit([&](const DwarfUnit& unit) {
    if (unit.line_offset) files_of(*unit.line_offset);
  });
}

StringId LineReader::file(const DwarfUnit& unit, std::uint64_t index) {
  if (!unit.line_offset) return StringId::empty;
  const FileTable& files = files_of(*unit.line_offset);
  return index < files.size() ? files[index] : StringId::empty;
}

const LineReader::FileTable& LineReader::files_of(std::uint64_t line_offset) {
  auto [place, is_new] = files_.try_emplace(line_offset);
  if (is_new) read(*owners_.at(line_offset), place->second);
  return place->second;
}

void LineReader::read(const DwarfUnit& unit, FileTable& files) {
  Die die = file_->die_at(unit.die);
  Dwarf_Unsigned version = 0;
  Dwarf_Small table_count = 0;
  Dwarf_Line_Context context = nullptr;
  DwarfError error(file_->raw());
  const int result = dwarf_srclines_b(die.raw(), &version, &table_count, &context, error.out());
  if (result == DW_DLV_ERROR) ++damaged_tables_;
  if (result != DW_DLV_OK) return;
  read_files(context, unit, version < 5, files);
  dwarf_srclines_dealloc_b(context);
  read_rows(*unit.line_offset, files);
}

// Indices count from 1 before DWARF 5 and from 0 since: libdwarf's base index
// says which, so the table is indexed as the file's own numbers are.
void LineReader::read_files(Dwarf_Line_Context context, const DwarfUnit& unit, bool is_old, FileTable& files) {
  Dwarf_Signed base = 0, count = 0, end = 0;
  DwarfError error(file_->raw());
  if (dwarf_srclines_files_indexes(context, &base, &count, &end, error.out()) != DW_DLV_OK) return;
  if (base < 0 || end < base) return;
  files.resize(static_cast<std::size_t>(end), StringId::empty);
  for (Dwarf_Signed i = base; i < end; ++i) {
    files[static_cast<std::size_t>(i)] = file_name(context, i, unit, is_old);
  }
}

StringId LineReader::file_name(Dwarf_Line_Context context, Dwarf_Signed index, const DwarfUnit& unit, bool is_old) {
  const char* name = nullptr;
  Dwarf_Unsigned folder_index = 0, modified_at = 0, size = 0;
  Dwarf_Form_Data16* checksum = nullptr;
  DwarfError error(file_->raw());
  if (dwarf_srclines_files_data_b(context, index, &name, &folder_index, &modified_at, &size, &checksum, error.out()) !=
          DW_DLV_OK ||
      !name) {
    return StringId::empty;
  }
  std::string folder;
  const bool is_compile_folder = is_old && folder_index == 0;
  const char* folder_name = nullptr;
  DwarfError folder_error(file_->raw());
  if (!is_compile_folder &&
      dwarf_srclines_include_dir_data(context, static_cast<Dwarf_Signed>(folder_index), &folder_name,
                                      folder_error.out()) == DW_DLV_OK &&
      folder_name) {
    folder = folder_name;
  }
  const std::string path = join_path(unit.comp_dir, join_path(folder, name));
  return pool_->intern(map_path(normal_path(path), *path_maps_));
}

void LineReader::read_rows(std::uint64_t line_offset, const FileTable& files) {
  LineTable* const lines = table_of_(line_offset);
  const bool fine = run_line_program(debug_line_, line_offset, [&](const std::vector<ProgramRow>& rows) {
    if (is_code_(rows.front().address)) add_sequence(rows, files, *lines);
  });
  if (!fine) ++damaged_tables_;
}

void LineReader::add_sequence(const std::vector<ProgramRow>& program_rows, const FileTable& files, LineTable& lines) {
  std::vector<LineRow> rows;
  rows.reserve(program_rows.size());
  for (const ProgramRow& row : program_rows) {
    const StringId file = row.file < files.size() ? files[row.file] : StringId::empty;
    const auto column = static_cast<std::uint16_t>(std::min<std::uint64_t>(row.column, 0xffff));
    rows.push_back({row.address, file, static_cast<std::uint32_t>(row.line), column, row.is_stmt, row.is_end});
  }
  lines.add_sequence(rows);
}

}  // namespace cdr::symbols
