// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/line_reader.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <utility>

#include "cdrgrind/symbols/paths.h"

namespace cdr::symbols {

LineReader::LineReader(const DwarfFile& file, const std::vector<PathMap>& path_maps, IsCode is_code, StringPool& pool,
                       LineTable& lines)
    : file_(&file), path_maps_(&path_maps), is_code_(std::move(is_code)), pool_(&pool), lines_(&lines) {
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
  if (table_count > 0) read_rows(context, files);
  dwarf_srclines_dealloc_b(context);
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
  if (dwarf_srclines_files_data_b(context, index, &name, &folder_index, &modified_at, &size, &checksum,
                                  error.out()) != DW_DLV_OK ||
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

void LineReader::read_rows(Dwarf_Line_Context context, const FileTable& files) {
  Dwarf_Line* lines = nullptr;
  Dwarf_Signed count = 0;
  DwarfError error(file_->raw());
  if (dwarf_srclines_from_linecontext(context, &lines, &count, error.out()) != DW_DLV_OK) {
    ++damaged_tables_;
    return;
  }
  std::vector<LineRow> rows;
  for (Dwarf_Signed i = 0; i < count; ++i) {
    DwarfError row_error(file_->raw());
    Dwarf_Addr address = 0;
    Dwarf_Unsigned line = 0, file = 0, column = 0;
    Dwarf_Bool is_stmt = 0, is_end = 0;
    dwarf_lineaddr(lines[i], &address, row_error.out());
    dwarf_lineno(lines[i], &line, row_error.out());
    dwarf_line_srcfileno(lines[i], &file, row_error.out());
    dwarf_lineoff_b(lines[i], &column, row_error.out());
    dwarf_linebeginstatement(lines[i], &is_stmt, row_error.out());
    dwarf_lineendsequence(lines[i], &is_end, row_error.out());
    rows.push_back({address, file < files.size() ? files[file] : StringId::empty, static_cast<std::uint32_t>(line),
                    static_cast<std::uint16_t>(std::min<Dwarf_Unsigned>(column, 0xffff)), is_stmt != 0, is_end != 0});
    if (is_end) finish_sequence(rows);
  }
}

void LineReader::finish_sequence(std::vector<LineRow>& rows) {
  if (is_code_(rows.front().address)) lines_->add_sequence(rows);
  rows.clear();
}

}  // namespace cdr::symbols
