// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/files/module_file.h"

#include <malloc.h>

#include <algorithm>
#include <utility>

#include "cdrgrind/symbols/dwarf/dwarf_reader.h"
#include "cdrgrind/symbols/dwarf/list_headers.h"
#include "cdrgrind/symbols/files/debug_file.h"

namespace cdr::symbols {

ModuleFile::ModuleFile(const Module& module, const SymbolOptions& options) {
  BinaryFile found = find_binary(module, options);
  describe(module, found);
  image_ = std::move(found.image);
  debug_image_ = std::move(found.debug);
  if (layout()) find_debug_info(options);
}

void ModuleFile::describe(const Module& module, const BinaryFile& found) {
  binary_ = {.state = found.state,
             .path = module.path,
             .build_id = module.build_id,
             .present_build_id = found.present_build_id,
             .bytes = module.file_bytes,
             .present_bytes = found.present_bytes,
             .file = found.place};
  if (found.state == BinaryState::kMissing || (found.state == BinaryState::kChanged && !module.is_identified()))
    notes_.push_back("the file is not there or not a 64-bit ELF file");
  else if (found.state == BinaryState::kChanged)
    notes_.push_back("the file is not the one that was recorded: not used");
  const bool is_elsewhere = found.state == BinaryState::kFound;  // a copy, and there has been a reason to build anew
  modified_at_ = is_elsewhere ? module.recorded_at : found.image ? found.image->modified_at : 0;
}

void ModuleFile::find_debug_info(const SymbolOptions& options) {
  if (image_ && !image_->has_debug_info && !debug_image_ && !options.packed)
    debug_image_ = find_debug_file(*image_, options);
  if (has_debug_info()) {
    check_readable();
  } else if (layout()->build_id.empty()) {
    notes_.push_back("no debug information");
  } else {
    notes_.push_back("no debug information (build-id " + layout()->build_id + ")");
  }
}

void ModuleFile::check_readable() {
  const ElfImage& debug = debug_image_ ? *debug_image_ : *image_;
  is_readable_ = !debug.has_zstd_sections;
  if (debug.has_zstd_sections) {
    notes_.push_back("debug information compressed with zstd cannot be read; names come from the symbol table only");
  }
  if (debug.alternate_link) {
    notes_.push_back("parts of the debug information are in " + *debug.alternate_link +
                     " (made by dwz -m), which is not read: names and types may be missing");
  }
}

const ModuleTables& ModuleFile::tables(const SymbolOptions& options, StringPool& pool) {
  if (!tables_) resolve(options, pool);
  return *tables_;
}

void ModuleFile::resolve(const SymbolOptions& options, StringPool& pool) {
  tables_ = std::make_unique<ModuleTables>();
  if (!layout()) return;
  ModuleTables& tables = *tables_;
  const SymbolTable& all_symbols = symbols(pool);
  if (is_readable_) {
    auto is_code = [this](std::uint64_t address) { return layout()->has_code_at(address); };
    std::vector<std::string> notes(1);
    if (const auto file = debug_info(notes.front()))
      notes = read_dwarf(*file, debug_info_path(), options.path_maps, is_code, all_symbols, pool, tables);
    if (!has_notes_of_tables_) notes_.insert(notes_.end(), notes.begin(), notes.end());
    has_notes_of_tables_ = true;
  }
  tables.lines.seal();
  tables.code.seal();
  tables.variables.seal([&](std::uint64_t at) { return all_symbols.bytes_left_at(at, false); });
  tables.tls_variables.seal([&](std::uint64_t at) { return all_symbols.bytes_left_at(at, true); });
  units_.reset();
  // libdwarf takes several times what the tables do, in small pieces.
  malloc_trim(0);
}

const SymbolTable& ModuleFile::symbols(StringPool& pool) {
  if (!symbols_) {
    symbols_.emplace();
    if (image_) symbols_->read(image_->path, pool);
    if (debug_image_) symbols_->read(debug_image_->path, pool);
    symbols_->seal();
  }
  return *symbols_;
}

std::shared_ptr<const DwarfFile> ModuleFile::debug_info(std::string& note) {
  std::shared_ptr<const DwarfFile> file = debug_info_.lock();
  if (file) return file;
  if (const char* section = unsound_list_section(debug_info_path())) {
    note = "damaged debug information (" + std::string(section) + ") is not used";
    return nullptr;
  }
  std::string reason;
  file = DwarfFile::open(debug_info_path(), reason);
  if (!file) note = "debug information of " + debug_info_path() + " cannot be read: " + reason;
  debug_info_ = file;
  return file;
}

UnitReader* ModuleFile::unit_reader(const SymbolOptions& options, StringPool& pool) {
  if (tables_ || !is_readable_) return nullptr;
  std::string note;  // told where tables are read
  if (!units_)
    if (auto file = debug_info(note)) {
      auto is_code = [this](std::uint64_t at) { return layout()->has_code_at(at); };
      units_ = std::make_unique<UnitReader>(std::move(file), debug_info_path(), options.path_maps, is_code,
                                            symbols(pool), pool);
    }
  return units_ && units_->is_sound() && !units_->has_read_much() ? units_.get() : nullptr;
}

ModuleFile::CodeTables ModuleFile::code_tables_at(std::uint64_t address, const SymbolOptions& options,
                                                  StringPool& pool) {
  static const LineTable kNoLines;
  static const CodeTable kNoCode;
  if (UnitReader* const units = unit_reader(options, pool)) {
    const UnitReader::Tables* const found = units->at(address);
    if (units->is_sound()) return found ? CodeTables{found->lines, &found->code} : CodeTables{&kNoLines, &kNoCode};
  }
  const ModuleTables& all = tables(options, pool);
  return {&all.lines, &all.code};
}

ModuleFile::FoundVariable ModuleFile::variable_at(std::uint64_t address, bool is_tls, const SymbolOptions& options,
                                                  StringPool& pool) {
  if (UnitReader* const units = unit_reader(options, pool)) {
    const VariableRecord* const found = units->variable_at(address, is_tls);
    if (units->is_sound()) return {found, &units->variable_types()};
  }
  const ModuleTables& all = tables(options, pool);
  return {(is_tls ? all.tls_variables : all.variables).find(address), &all.types};
}

bool ModuleFile::has_lines_of(StringId file) const {
  if (!tables_) return units_ && units_->has_rows_of(file);
  const auto rows = tables_->lines.rows();
  return std::any_of(rows.begin(), rows.end(), [&](const LineRow& row) { return row.file == file; });
}

void ModuleFile::forget_tables() {
  tables_.reset();
  units_.reset();
  symbols_.reset();
  malloc_trim(0);
}

LocalReader& ModuleFile::local_reader(StringPool& pool) {
  std::string note;  // told where tables are read
  if (!local_reader_) local_reader_ = std::make_unique<LocalReader>(debug_info(note), pool, locals_);
  return *local_reader_;
}

const LocalTable& ModuleFile::locals_of(std::uint64_t entry, StringPool& pool) {
  if (is_readable_ && asked_locals_.insert(entry).second) local_reader(pool).read_function(entry);
  return locals_;
}

const LocalTable& ModuleFile::locals_of_all(StringPool& pool) {
  if (is_readable_) local_reader(pool).read_all();
  return locals_;
}

const std::vector<OrderRecord>& ModuleFile::orders_of(std::uint64_t entry, StringPool& pool) {
  std::string note;  // told where tables are read
  if (!order_reader_) order_reader_ = std::make_unique<OrderReader>(is_readable_ ? debug_info(note) : nullptr, pool);
  return order_reader_->of_function(entry);
}

std::span<const std::uint8_t> ModuleFile::code_at(std::uint64_t file_address, std::size_t size) {
  if (!code_) {
    code_.emplace();
    for (const ElfSegment& s : image_ ? image_->segments : std::vector<ElfSegment>())
      if (s.executable) code_->push_back({s.begin, image_->content(s)});
  }
  for (const Code& code : *code_) {
    const std::uint64_t at = file_address - code.begin;
    if (at < code.bytes.size() && size <= code.bytes.size() - at) return std::span(code.bytes).subspan(at, size);
  }
  return {};
}

}  // namespace cdr::symbols
