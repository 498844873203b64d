// SPDX-License-Identifier: GPL-2.0-or-later
//
// The modules of a recorded program, by the serial under which the trace knows
// each mapping. Translates runtime addresses to addresses in the file.
// Invariant: a serial names one mapping for ever; when it was mapped and
// unmapped is the trace's matter, so ranges of different serials may overlap.
#ifndef CDRGRIND_SYMBOLS_FILES_MODULE_MAP_H
#define CDRGRIND_SYMBOLS_FILES_MODULE_MAP_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/names.h"

namespace cdr::symbols {

struct Module {
  ModuleSerial serial = 0;
  std::string path;
  std::uint64_t text_begin = 0;  // runtime address
  std::uint64_t text_size = 0;
  std::uint64_t bias = 0;  // runtime address minus address in the file, mod 2^64
  // The file as it was recorded. One of the first two, or neither: then nothing tells it from another.
  std::string build_id;                   // lower-case hex
  std::optional<std::uint64_t> checksum;  // XXH3 of the whole file
  std::uint64_t file_bytes = 0;           // 0 = not known
  std::int64_t recorded_at = 0;           // seconds, 0 = not known
  bool is_recorders = false;              // Valgrind's or the recorder's: nobody misses its names

  bool is_identified() const { return !build_id.empty() || checksum; }

  std::uint64_t file_address(std::uint64_t runtime) const { return runtime - bias; }
  std::uint64_t runtime_address(std::uint64_t in_file) const { return in_file + bias; }
};

// A set of modules, ordered by serial. Not thread-safe.
class ModuleMap {
 public:
  // Adds a module, or replaces the one with the same serial.
  void add(Module module);

  const Module* find(ModuleSerial serial) const;

  // The address in the module's file; nothing when the serial is unknown.
  std::optional<std::uint64_t> file_address(ModuleSerial serial, std::uint64_t runtime) const;

  // The modules whose text holds the address, latest serial first.
  std::vector<ModuleSerial> with_text_at(std::uint64_t runtime) const;

  const std::map<ModuleSerial, Module>& all() const { return modules_; }

 private:
  std::map<ModuleSerial, Module> modules_;
};

}  // namespace cdr::symbols

#endif
