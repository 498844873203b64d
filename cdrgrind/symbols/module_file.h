// SPDX-License-Identifier: GPL-2.0-or-later
//
// One module's file: opened cheaply for what coverage needs, resolved into
// tables when an address is first asked for. Several mappings of one file
// share it.
#ifndef CDRGRIND_SYMBOLS_MODULE_FILE_H
#define CDRGRIND_SYMBOLS_MODULE_FILE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdrgrind/symbols/elf_image.h"
#include "cdrgrind/symbols/module_tables.h"
#include "cdrgrind/symbols/options.h"
#include "cdrgrind/symbols/string_pool.h"

namespace cdr::symbols {

// Not thread-safe.
class ModuleFile {
 public:
  // `build_id` is the recorded one, or empty. Never fails: a file that cannot
  // be used has empty tables and a note.
  ModuleFile(const std::string& path, const std::string& build_id, const SymbolOptions& options);

  // Both references must outlive the tables' use; the first call reads.
  const ModuleTables& tables(const SymbolOptions& options, StringPool& pool);

  bool contains(std::uint64_t file_address) const { return image_ && image_->contains(file_address); }
  // Empty when the file cannot be used.
  std::string path() const { return image_ ? image_->path : std::string(); }
  std::vector<ElfSegment> segments() const { return image_ ? image_->segments : std::vector<ElfSegment>{}; }
  bool has_debug_info() const { return debug_image_.has_value() || (image_ && image_->has_debug_info); }
  std::int64_t modified_at() const { return image_ ? image_->modified_at : 0; }
  // The machine code at an address of the file; empty when it is not all there. The first call reads.
  std::span<const std::uint8_t> code_at(std::uint64_t file_address, std::size_t size);
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void find_debug_info(const SymbolOptions& options);
  void check_readable();
  void resolve(const SymbolOptions& options, StringPool& pool);

  std::optional<ElfImage> image_;
  std::optional<ElfImage> debug_image_;  // a separate debug file
  bool is_readable_ = false;             // libdwarf can read the debug information
  std::vector<std::string> notes_;
  std::unique_ptr<ModuleTables> tables_;
  struct Code {
    std::uint64_t begin = 0;
    std::vector<std::uint8_t> bytes;
  };
  std::optional<std::vector<Code>> code_;  // the executable segments, once read
};

}  // namespace cdr::symbols

#endif
