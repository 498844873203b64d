// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the line programs of a file into LineTables and keeps each one's file
// table for the declarations and calls that refer to it. Several units may
// share a line program (every type unit does): it is read once.
#ifndef CDRGRIND_SYMBOLS_DWARF_LINE_READER_H
#define CDRGRIND_SYMBOLS_DWARF_LINE_READER_H

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cdrgrind/symbols/common/options.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/dwarf/line_program.h"
#include "cdrgrind/symbols/tables/line_table.h"

namespace cdr::symbols {

class LineReader {
 public:
  // `debug_line` is the content of that section. Sequences that do not begin
  // where `is_code` says are of code that the linker threw away.
  using IsCode = std::function<bool(std::uint64_t)>;
  // Where the rows of the program at an offset go.
  using TableOf = std::function<LineTable*(std::uint64_t)>;

  LineReader(const DwarfFile& file, std::vector<std::uint8_t> debug_line, const std::vector<PathMap>& path_maps,
             IsCode is_code, StringPool& pool, TableOf table_of);

  // Reads all line programs of the file.
  void read_all();
  // That of a unit, which has one.
  void read_program_of(const DwarfUnit& unit) { files_of(*unit.line_offset); }

  // The file with an index as DIEs of the unit use it.
  StringId file(const DwarfUnit& unit, std::uint64_t index);

  std::size_t damaged_tables() const { return damaged_tables_; }

 private:
  using FileTable = std::vector<StringId>;

  const FileTable& files_of(std::uint64_t line_offset);
  void read(const DwarfUnit& unit, FileTable& files);
  void read_files(Dwarf_Line_Context context, const DwarfUnit& unit, bool is_old, FileTable& files);
  StringId file_name(Dwarf_Line_Context context, Dwarf_Signed index, const DwarfUnit& unit, bool is_old);
  void read_rows(std::uint64_t line_offset, const FileTable& files);
  static void add_sequence(const std::vector<ProgramRow>& program_rows, const FileTable& files, LineTable& lines);

  const DwarfFile* file_;
  std::vector<std::uint8_t> debug_line_;
  const std::vector<PathMap>* path_maps_;
  IsCode is_code_;
  StringPool* pool_;
  TableOf table_of_;
  std::unordered_map<std::uint64_t, const DwarfUnit*> owners_;  // the unit to read a program for
  std::unordered_map<std::uint64_t, FileTable> files_;
  std::size_t damaged_tables_ = 0;
};

}  // namespace cdr::symbols

#endif
