// SPDX-License-Identifier: GPL-2.0-or-later
//
// One module's file: opened cheaply for what coverage needs; units are read
// when an address of theirs is first asked for, variables one by one, all of it
// when all lines are wanted. Several mappings of one file share it.
#ifndef CDRGRIND_SYMBOLS_FILES_MODULE_FILE_H
#define CDRGRIND_SYMBOLS_FILES_MODULE_FILE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "cdrgrind/symbols/common/options.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/local_reader.h"
#include "cdrgrind/symbols/dwarf/order_reader.h"
#include "cdrgrind/symbols/dwarf/unit_reader.h"
#include "cdrgrind/symbols/elf/elf_image.h"
#include "cdrgrind/symbols/files/binary_file.h"
#include "cdrgrind/symbols/files/module_map.h"
#include "cdrgrind/symbols/tables/local_table.h"
#include "cdrgrind/symbols/tables/module_tables.h"
#include "cdrgrind/symbols/tables/symbol_table.h"

namespace cdr::symbols {

// Not thread-safe.
class ModuleFile {
 public:
  // Never fails: a file that cannot be used has empty tables and a note.
  ModuleFile(const Module& module, const SymbolOptions& options);

  // All of them. Both references must outlive the tables' use; the first call reads.
  const ModuleTables& tables(const SymbolOptions& options, StringPool& pool);
  const SymbolTable& symbols(StringPool& pool);
  // Lines and functions at an address: those of one unit, or, once they were read, of all.
  struct CodeTables {
    const LineTable* lines = nullptr;
    const CodeTable* code = nullptr;
  };
  CodeTables code_tables_at(std::uint64_t address, const SymbolOptions& options, StringPool& pool);
  // The variable with a fixed place that has the byte at an address, or at an offset in a thread's block; null if none
  // has. Read alone, unless all is read.
  struct FoundVariable {
    const VariableRecord* variable = nullptr;
    const TypeTable* types = nullptr;
  };
  FoundVariable variable_at(std::uint64_t address, bool is_tls, const SymbolOptions& options, StringPool& pool);

  // Whether lines were looked for; and whether any of those that have been read is of the file.
  bool has_lines() const { return tables_ != nullptr || units_ != nullptr; }
  bool has_lines_of(StringId file) const;
  // Frees them; who asks for them again reads them again.
  void forget_tables();

  // Local variables of a function and their types, types of variables with fixed places: with what was asked for
  // before. The first call for each reads.
  const LocalTable& locals_of(std::uint64_t entry, StringPool& pool);
  const LocalTable& locals_of_all(StringPool& pool);
  // Functions and inlined copies with parameters of the type memory_order, in the function. The first call reads.
  const std::vector<OrderRecord>& orders_of(std::uint64_t entry, StringPool& pool);
  const LocalTable& known_locals() const { return locals_; }

  bool contains(std::uint64_t file_address) const { return layout() && layout()->contains(file_address); }
  // Empty when the file cannot be used.
  std::string path() const { return layout() ? layout()->path : std::string(); }
  // The file with the code, and the separate debug file; empty where there is none.
  std::string image_path() const { return image_ ? image_->path : std::string(); }
  std::string debug_path() const { return debug_image_ ? debug_image_->path : std::string(); }
  std::vector<ElfSegment> segments() const { return layout() ? layout()->segments : std::vector<ElfSegment>{}; }
  bool has_debug_info() const { return (debug_image_ && debug_image_->has_debug_info) || has_own_debug_info(); }
  // Sources that are newer than this may say something else than the file; 0 = not known.
  std::int64_t modified_at() const { return modified_at_; }
  // The machine code at an address of the file; empty when it is not all there. The first call reads.
  std::span<const std::uint8_t> code_at(std::uint64_t file_address, std::size_t size);
  const std::vector<std::string>& notes() const { return notes_; }
  // About the file of this module, its state kRecorded if there is nothing to say.
  const BinaryNote& binary() const { return binary_; }

 private:
  void describe(const Module& module, const BinaryFile& found);
  bool has_own_debug_info() const { return image_ && image_->has_debug_info; }
  // Whose segments are the module's.
  const ElfImage* layout() const { return image_ ? &*image_ : debug_image_ ? &*debug_image_ : nullptr; }
  void find_debug_info(const SymbolOptions& options);
  void check_readable();
  void resolve(const SymbolOptions& options, StringPool& pool);
  // Null where all is to be read: more than some units, or what is damaged or elsewhere, for then that is told.
  UnitReader* unit_reader(const SymbolOptions& options, StringPool& pool);
  const std::string& debug_info_path() const { return debug_image_ ? debug_image_->path : image_->path; }
  // One for all who have it at the same time; null, with a note, if it cannot be used.
  std::shared_ptr<const DwarfFile> debug_info(std::string& note);
  LocalReader& local_reader(StringPool& pool);

  std::optional<ElfImage> image_;        // with the code
  std::optional<ElfImage> debug_image_;  // a separate debug file
  bool is_readable_ = false;             // libdwarf can read the debug information
  std::int64_t modified_at_ = 0;
  BinaryNote binary_;
  std::vector<std::string> notes_;
  std::unique_ptr<ModuleTables> tables_;
  bool has_notes_of_tables_ = false;
  std::optional<SymbolTable> symbols_;
  std::weak_ptr<const DwarfFile> debug_info_;
  std::unique_ptr<UnitReader> units_;  // until all is read
  LocalTable locals_;
  std::unique_ptr<LocalReader> local_reader_;       // once asked
  std::unordered_set<std::uint64_t> asked_locals_;  // entries
  std::unique_ptr<OrderReader> order_reader_;       // once asked
  struct Code {
    std::uint64_t begin = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::optional<std::vector<Code>> code_;  // the executable segments, once read
};

}  // namespace cdr::symbols

#endif
